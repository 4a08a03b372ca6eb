import type { Queryable } from '../../postgres/queryable.ts'

/** A column by whose instants rows can be pruned, and what that needs. */
export type TimeColumn = {
  readonly name: string
  readonly type: string
  /** Whether a usable index begins with it; without one each batch would read the whole table. */
  readonly hasIndex: boolean
  /** A table of rows, and neither a view nor the parent of partitions. */
  readonly isPlainTable: boolean
  readonly mayDelete: boolean
  readonly estimatedRows: number | null
}

/** Null where the table has no such column. Takes no lock on the table. */
export async function findTimeColumn(
  db: Queryable,
  tableOid: string,
  column: string,
): Promise<TimeColumn | null> {
  const { rows } = await db.query<TimeColumn>(
    `select a.attname as name,
            format_type(a.atttypid, null) as type,
            exists (select from pg_index x
                      join pg_class i on i.oid = x.indexrelid
                      join pg_am m on m.oid = i.relam
                     where x.indrelid = c.oid
                       and x.indkey[0] = a.attnum
                       and x.indpred is null
                       and x.indisvalid
                       and m.amname = 'btree') as "hasIndex",
            c.relkind = 'r' as "isPlainTable",
            has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'delete') as "mayDelete",
            nullif(c.reltuples, -1)::double precision as "estimatedRows"
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.oid = $1::oid
        and a.attname = $2::text`,
    [tableOid, column],
  )
  return rows[0] ?? null
}
