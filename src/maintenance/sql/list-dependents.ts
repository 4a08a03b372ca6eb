import type { Queryable } from '../../postgres/queryable.ts'

/** The views and foreign keys that a table cannot be dropped without, by name. */
export async function listDependents(db: Queryable, oid: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select case v.relkind when 'm' then 'materialized view ' else 'view ' end || v.oid::regclass::text as name
       from pg_depend d
       join pg_rewrite r on r.oid = d.objid
       join pg_class v on v.oid = r.ev_class
      where d.classid = 'pg_rewrite'::regclass
        and d.refclassid = 'pg_class'::regclass
        and d.refobjid = $1::oid
        and v.oid <> d.refobjid
      union
     select 'foreign key ' || k.conname || ' of ' || k.conrelid::regclass::text
       from pg_constraint k
      where k.contype = 'f'
        and k.confrelid = $1::oid
      order by 1`,
    [oid],
  )
  return rows.map(({ name }) => name)
}
