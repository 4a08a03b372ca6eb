import type { Queryable } from '../../../postgres/queryable.ts'

/** The role that statements run as. */
export async function findRole(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ role: string }>(`select current_user as role`)
  return rows[0]?.role ?? ''
}
