import type { Queryable } from '../../postgres/queryable.ts'

/** A table by its OID, as it stands now. */
export type Relation = {
  readonly schema: string
  readonly name: string
  readonly isPlainTable: boolean
  /** The parent that it is a partition of; null where it stands alone. */
  readonly parentOid: string | null
}

export async function findRelation(db: Queryable, oid: string): Promise<Relation | null> {
  const { rows } = await db.query<Relation>(
    `select n.nspname as "schema",
            c.relname as name,
            c.relkind = 'r' as "isPlainTable",
            i.inhparent::text as "parentOid"
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       left join pg_inherits i on i.inhrelid = c.oid
      where c.oid = $1::oid`,
    [oid],
  )
  return rows[0] ?? null
}
