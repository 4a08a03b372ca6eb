import type { Queryable } from '../../postgres/queryable.ts'

/** Opens a transaction in which nothing can be written, whatever functions a statement calls. */
export async function beginReadOnly(session: Queryable): Promise<void> {
  await session.query('begin isolation level read committed read only')
}
