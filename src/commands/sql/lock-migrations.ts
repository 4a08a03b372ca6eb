import type { Queryable } from '../../postgres/queryable.ts'

/**
 * Waits until nobody else migrates this database. The session holds the lock until it ends. node-pg-migrate and
 * pg-boss each have a lock of their own, but make their schemas before they take it.
 */
export async function lockMigrations(db: Queryable): Promise<void> {
  await db.query(TEXT)
}

const TEXT = `
select pg_advisory_lock(hashtextextended('daymark migrate', 0))
`
