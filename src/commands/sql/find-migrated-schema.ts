import type { Queryable } from '../../postgres/queryable.ts'

/** Whether `daymark migrate` has made the tables: the last one of the migrations stands for all. */
export async function findMigratedSchema(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<Row>(TEXT)
  return rows[0]?.isMigrated ?? false
}

type Row = { readonly isMigrated: boolean }

const TEXT = `
select to_regclass('daymark.producer_sequences') is not null as "isMigrated"
`
