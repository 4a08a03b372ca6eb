import type { Queryable } from '../../src/postgres/queryable.ts'

/** Every table, column, constraint, index, function and comment of a schema as lines of text, sorted. */
export async function dumpCatalogue(db: Queryable, schema: string): Promise<string[]> {
  const { rows } = await db.query<{ line: string }>(
    `with relations as (
       select c.*
         from pg_class c
         join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = $1::text
     )
     select concat_ws(' ', c.oid, c.relkind, c.relname, pg_get_expr(c.relpartbound, c.oid), c.reloptions::text) as line
       from relations c
      union all
     select concat_ws(' ', c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                      pg_get_expr(d.adbin, d.adrelid))
       from relations c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      union all
     select concat_ws(' ', c.relname, k.conname, pg_get_constraintdef(k.oid))
       from relations c
       join pg_constraint k on k.conrelid = c.oid
      union all
     select pg_get_indexdef(c.oid)
       from relations c
      where c.relkind in ('i', 'I')
      union all
     select pg_get_functiondef(p.oid)
       from pg_proc p
       join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = $1::text
      union all
     select concat_ws(' ', c.relname, d.objsubid, d.description)
       from relations c
       join pg_description d on d.objoid = c.oid and d.classoid = 'pg_class'::regclass
      order by 1`,
    [schema],
  )
  return rows.map(({ line }) => line)
}
