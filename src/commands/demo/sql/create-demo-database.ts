import { identifier } from '../../../postgres/identifier.ts'
import type { Queryable } from '../../../postgres/queryable.ts'

/** Makes a database, unless it is there. Not for two at once: `create database` knows no `if not exists`. */
export async function createDemoDatabase(db: Queryable, name: string): Promise<void> {
  const { rows } = await db.query(TEXT, [name])
  if (rows.length === 0) await db.query(`create database ${identifier(name)}`)
}

const TEXT = `
select datname
  from pg_database
 where datname = $1::text
`
