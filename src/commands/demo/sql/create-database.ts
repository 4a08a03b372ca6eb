import { identifier } from '../../../postgres/identifier.ts'
import type { Queryable } from '../../../postgres/queryable.ts'

/** Makes a database. Not inside a transaction (25001). */
export async function createDatabase(db: Queryable, name: string): Promise<void> {
  await db.query(`create database ${identifier(name)}`)
}
