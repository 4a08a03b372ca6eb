import type { Queryable } from '../../../postgres/queryable.ts'
import type { TableGrant } from '../../consumer-grants.ts'

/** Of these grants, those that a role lacks, with the privileges that are missing alone. */
export async function listMissingGrants(
  db: Queryable,
  role: string,
  grants: readonly TableGrant[],
): Promise<TableGrant[]> {
  const { rows } = await db.query<TableGrant>(
    `select g."schema", g."table", array_agg(p.privilege order by p.place)::text[] as privileges
       from jsonb_to_recordset($2::jsonb) as g ("schema" text, "table" text, privileges jsonb)
      cross join lateral jsonb_array_elements_text(g.privileges) with ordinality as p (privilege, place)
       join pg_class c on c.relname = g."table"
       join pg_namespace n on n.oid = c.relnamespace and n.nspname = g."schema"
      where not has_table_privilege($1::name, c.oid, p.privilege)
      group by g."schema", g."table"
      order by g."schema", g."table"`,
    [role, JSON.stringify(grants)],
  )
  return rows
}
