import type { Queryable } from '../../postgres/queryable.ts'

/** A table as the catalogue has it, for somebody who wants to adopt it. */
export type AdoptableFacts = {
  readonly oid: string
  readonly isPlainTable: boolean
  readonly isPartitioned: boolean
  /** The columns of a range partition key; none for another strategy or an expression. */
  readonly partitionedBy: readonly string[]
  readonly columns: readonly {
    readonly name: string
    readonly type: string
    /** Whether an insert has to give it a value. */
    readonly isDemanded: boolean
  }[]
  /** The columns of each unique index without a condition, sorted by name. */
  readonly uniqueKeys: readonly (readonly string[])[]
  readonly hasTimeIndex: boolean
  readonly role: string
  readonly owner: string
  readonly mayActAsOwner: boolean
  /** Roles that may insert markers, and may not use this table. */
  readonly consumerRoles: readonly string[]
  readonly isAdopted: boolean
}

/** Null where there is no such table. Takes no lock on it. */
export async function findAdoptable(
  db: Queryable,
  schema: string,
  table: string,
): Promise<AdoptableFacts | null> {
  const { rows } = await db.query<AdoptableFacts>(
    `select c.oid::text as oid,
            c.relkind = 'r' and not c.relispartition as "isPlainTable",
            c.relkind = 'p' as "isPartitioned",
            coalesce((
              select array_agg(a.attname::text order by k.place)
                from pg_partitioned_table p,
                     unnest(p.partattrs::smallint[]) with ordinality as k (number, place)
                join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
               where p.partrelid = c.oid and p.partstrat = 'r'
            ), '{}')::text[] as "partitionedBy",
            (select jsonb_agg(jsonb_build_object(
                      'name', a.attname, 'type', format_type(a.atttypid, null),
                      'isDemanded', a.attnotnull and not a.atthasdef and a.attidentity = '')
                    order by a.attnum)
               from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
            coalesce((
              select jsonb_agg(x.key)
                from (select (select array_agg(a.attname::text order by a.attname)
                                from unnest(i.indkey::smallint[]) as k (number)
                                join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number) as key
                        from pg_index i
                       where i.indrelid = c.oid and i.indisunique and i.indisvalid
                         and i.indpred is null and i.indexprs is null
                         and i.indnkeyatts = i.indnatts) x
            ), '[]') as "uniqueKeys",
            exists (
              select
                from pg_index i
                join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
               where i.indrelid = c.oid and i.indisvalid and i.indpred is null and a.attname = 'processed_at'
            ) as "hasTimeIndex",
            current_user as role,
            pg_get_userbyid(c.relowner) as owner,
            pg_has_role(current_user, c.relowner, 'usage') as "mayActAsOwner",
            array(
              select distinct r.rolname::text
                from pg_class m, aclexplode(m.relacl) g
                join pg_roles r on r.oid = g.grantee
               where m.oid = to_regclass('daymark.processed_events')
                 and g.privilege_type = 'INSERT' and g.grantee <> m.relowner
                 and not (has_table_privilege(r.oid, c.oid, 'select') and has_table_privilege(r.oid, c.oid, 'insert'))
               order by 1
            ) as "consumerRoles",
            exists (select from daymark.elders e where e.table_oid = c.oid) as "isAdopted"
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1::text and c.relname = $2::text and c.relkind in ('r', 'p', 'v', 'm', 'f')`,
    [schema, table],
  )
  return rows[0] ?? null
}
