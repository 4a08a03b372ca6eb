import type { Queryable } from '../../postgres/queryable.ts'

/** A table as the catalogue has it: what decides whether it can be maintained, and what its partitions must be like. */
export type TableFacts = {
  readonly oid: string
  readonly isPartitioned: boolean
  /** `r` for range. */
  readonly strategy: string | null
  /** How many columns or expressions its partition key has. */
  readonly keyCount: number
  /** Null where the key is an expression. */
  readonly keyColumn: string | null
  readonly keyType: string | null
  readonly owner: string
  /** The role that asks, and what it may do here. */
  readonly role: string
  readonly mayActAsOwner: boolean
  readonly mayCreate: boolean
  /** Foreign keys of this table to others. */
  readonly references: readonly string[]
  /** Foreign keys of other tables to this one. */
  readonly referencedBy: readonly string[]
  /** `d` default, `n` nothing, `f` full, `i` by an index. */
  readonly replicaIdentity: string
  readonly replicaIndex: string | null
  readonly hasRowSecurity: boolean
  readonly forcesRowSecurity: boolean
  readonly grants: readonly Grant[]
  readonly rowPolicies: readonly RowPolicy[]
  readonly comment: string | null
  readonly columnTunings: readonly ColumnTuning[]
  /** Of its newest partition, as `name=value`: a partitioned table can have none itself. */
  readonly storageParameters: readonly string[]
}

/** Privileges of one role; `null` is PUBLIC. Of a column, where one is named. */
export type Grant = {
  readonly grantee: string | null
  readonly column: string | null
  readonly isGrantable: boolean
  readonly privileges: readonly string[]
}

export type RowPolicy = {
  readonly name: string
  readonly isPermissive: boolean
  /** `r` select, `a` insert, `w` update, `d` delete, `*` all. */
  readonly command: string
  /** `null` is PUBLIC. */
  readonly roles: readonly (string | null)[]
  readonly using: string | null
  readonly check: string | null
}

/** What ANALYZE is told about a column; null where nothing is said. */
export type ColumnTuning = {
  readonly column: string
  readonly statisticsTarget: number | null
  /** As `name=value`. */
  readonly options: readonly string[]
}

/** Null where there is no such table. Takes no lock on the table. */
export async function findTable(db: Queryable, schema: string, table: string): Promise<TableFacts | null> {
  const { rows } = await db.query<TableFacts>(
    `select c.oid::text as oid,
            c.relkind = 'p' as "isPartitioned",
            p.partstrat as strategy,
            coalesce(p.partnatts, 0)::integer as "keyCount",
            a.attname as "keyColumn",
            format_type(a.atttypid, null) as "keyType",
            pg_get_userbyid(c.relowner) as owner,
            current_user as role,
            pg_has_role(current_user, c.relowner, 'usage') as "mayActAsOwner",
            has_schema_privilege(current_user, n.oid, 'create') as "mayCreate",
            array(select k.conname || ' to ' || k.confrelid::regclass::text
                    from pg_constraint k
                   where k.conrelid = c.oid and k.contype = 'f' and k.conparentid = 0
                   order by k.conname)::text[] as "references",
            array(select k.conname || ' of ' || k.conrelid::regclass::text
                    from pg_constraint k
                   where k.confrelid = c.oid and k.contype = 'f' and k.conparentid = 0
                   order by k.conname)::text[] as "referencedBy",
            c.relreplident as "replicaIdentity",
            (select x.indexrelid::regclass::text
               from pg_index x
              where x.indrelid = c.oid and x.indisreplident) as "replicaIndex",
            c.relrowsecurity as "hasRowSecurity",
            c.relforcerowsecurity as "forcesRowSecurity",
            coalesce((
              select jsonb_agg(jsonb_build_object('grantee', g.grantee, 'column', g."column",
                                                  'isGrantable', g.is_grantable, 'privileges', g.privileges)
                               order by g.grantee, g."column", g.is_grantable)
                from (select r.rolname as grantee, acl."column", e.is_grantable,
                             jsonb_agg(lower(e.privilege_type) order by e.privilege_type) as privileges
                        from (select c.relacl as acl, null::name as "column"
                              union all
                              select t.attacl, t.attname
                                from pg_attribute t
                               where t.attrelid = c.oid and t.attnum > 0 and not t.attisdropped) as acl,
                             aclexplode(acl.acl) as e
                        left join pg_roles r on r.oid = e.grantee
                       where e.grantee <> c.relowner
                       group by r.rolname, acl."column", e.is_grantable) as g
            ), '[]') as grants,
            coalesce((
              select jsonb_agg(jsonb_build_object(
                       'name', y.polname, 'isPermissive', y.polpermissive, 'command', y.polcmd,
                       'roles', (select jsonb_agg(r.rolname order by r.rolname)
                                   from unnest(y.polroles) as o (oid) left join pg_roles r on r.oid = o.oid),
                       'using', pg_get_expr(y.polqual, y.polrelid), 'check', pg_get_expr(y.polwithcheck, y.polrelid))
                     order by y.polname)
                from pg_policy y
               where y.polrelid = c.oid
            ), '[]') as "rowPolicies",
            obj_description(c.oid, 'pg_class') as comment,
            coalesce((
              select jsonb_agg(jsonb_build_object('column', t.attname,
                                                  'statisticsTarget', nullif(t.attstattarget, -1),
                                                  'options', coalesce(t.attoptions, '{}'))
                               order by t.attnum)
                from pg_attribute t
               where t.attrelid = c.oid and t.attnum > 0 and not t.attisdropped
                 and (coalesce(t.attstattarget, -1) >= 0 or t.attoptions is not null)
            ), '[]') as "columnTunings",
            coalesce((
              select coalesce(d.reloptions, '{}')
                     || array(select 'toast.' || o.option from unnest(s.reloptions) as o (option))
                from pg_inherits i
                join pg_class d on d.oid = i.inhrelid
                left join pg_class s on s.oid = d.reltoastrelid
               where i.inhparent = c.oid and d.relkind = 'r' and pg_get_expr(d.relpartbound, d.oid) <> 'DEFAULT'
               order by d.oid::bigint desc
               limit 1
            ), '{}') as "storageParameters"
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       left join pg_partitioned_table p on p.partrelid = c.oid
       left join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0] and a.attnum > 0
      where n.nspname = $1::text
        and c.relname = $2::text
        and c.relkind in ('r', 'p', 'v', 'm', 'f')`,
    [schema, table],
  )
  return rows[0] ?? null
}
