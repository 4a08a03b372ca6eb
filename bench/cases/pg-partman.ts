import { identifier } from '../../src/postgres/identifier.ts'
import type { Queryable } from '../../src/postgres/queryable.ts'
import { RETENTION_DAYS, RUNWAY_DAYS } from '../support/maintained-days.ts'
import type { MaintenanceCase } from './maintenance-case.ts'

const TABLE = 'daymark.processed_events'

/** pg_partman 4.7 over the same table: `run_maintenance`, with a retention that drops. */
export const pgPartman: MaintenanceCase = {
  name: 'pg_partman',
  table: 'partitioned',
  async prepare({ db }) {
    await renamePartitions(db)
    await db.query('create schema partman')
    await db.query('create extension pg_partman schema partman')
    await db.query(
      `select partman.create_parent($1::text, 'marker_day', 'native', 'daily', p_premake := $2::integer)`,
      [TABLE, RUNWAY_DAYS],
    )
    await db.query(
      `update partman.part_config
          set premake = $2::integer, retention = $3::text, retention_keep_table = false,
              infinite_time_partitions = true
        where parent_table = $1::text`,
      [TABLE, RUNWAY_DAYS + 1, `${RETENTION_DAYS} days`],
    )
  },
  async pass({ db, days: { next, old } }) {
    await db.query('select partman.run_maintenance($1::text)', [TABLE])
    const { rows } = await db.query<{ made: boolean; removed: boolean }>(
      `select to_regclass($1::text) is not null as made, to_regclass($2::text) is null as removed`,
      [nameOf(next), nameOf(old)],
    )
    if (!rows[0]?.made || !rows[0].removed) throw new Error('running pg_partman: it left a day undone')
    return 1
  },
}

/** It knows its partitions by their names. */
async function renamePartitions(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select c.relname as name
       from pg_inherits i
       join pg_class c on c.oid = i.inhrelid
      where i.inhparent = $1::text::regclass`,
    [TABLE],
  )
  for (const { name } of rows) {
    const wanted = name.replace('events_', 'events_p')
    await db.query(`alter table daymark.${identifier(name)} rename to ${identifier(wanted)}`)
  }
}

function nameOf(day: string): string {
  return `${TABLE}_p${day.replaceAll('-', '_')}`
}
