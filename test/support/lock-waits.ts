import type { TestDatabase } from './test-database.ts'

/**
 * How many sessions of this test's database wait for a lock. Not pg_locks alone: it shows the locks of the whole
 * server, and the databases of the tests are clones, in which one OID is the same table many times over.
 */
export async function lockWaits({ database }: TestDatabase): Promise<number> {
  const { rows } = await database.query<{ waits: number }>(
    `select count(*)::integer as waits from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]?.waits ?? 0
}
