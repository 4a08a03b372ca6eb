import type { Queryable } from '../../../postgres/queryable.ts'

/** Of these schemas, those that a role may not even look into. */
export async function listClosedSchemas(
  db: Queryable,
  role: string,
  schemas: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ schema: string }>(
    `select nspname as "schema"
       from pg_namespace
      where nspname = any ($2::text[])
        and not has_schema_privilege($1::name, oid, 'usage')
      order by nspname`,
    [role, schemas],
  )
  return rows.map(({ schema }) => schema)
}
