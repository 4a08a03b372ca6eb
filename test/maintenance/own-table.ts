import assert from 'node:assert/strict'
import { addDays } from '../../src/calendar/period.ts'
import type { Policy } from '../../src/maintenance/policy.ts'
import { qualified } from '../../src/postgres/identifier.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { OWN_RETENTION, outcomesOf, runOnce, setFence, todayOf } from './maintenance-bench.ts'

/** A table of somebody's own, with a fence, so that only the days ahead are made. */
export async function ownTable(
  db: TestDatabase,
  definition: string,
  more: Partial<Policy> = {},
): Promise<Policy> {
  const policy = { ...OWN_RETENTION, schema: 'public', table: 'seen', runwayDays: 1, ...more }
  await db.database.query(`create table ${qualified(policy.schema, policy.table)} ${definition}`)
  const today = await todayOf(db.database)
  await setFence(db.database, addDays(today, -1), policy.table)
  await db.database.query(
    'update daymark.maintained_tables set schema_name = $1::text where table_name = $2::text',
    [policy.schema, policy.table],
  )
  return policy
}

export async function make(db: TestDatabase, policy: Policy): Promise<void> {
  const report = await runOnce(db, 'make', policy)
  assert.equal(report.outcome, 'done', outcomesOf(report).join('\n'))
}

/** One fact of the parent and of a partition, side by side. */
export async function bothHave(db: TestDatabase, policy: Policy, expression: string): Promise<void> {
  const { rows } = await db.database.query<{ parent: string; partition: string }>(
    `select (select (${expression})::text from pg_class c where c.oid = i.inhparent) as parent,
            (select (${expression})::text from pg_class c where c.oid = i.inhrelid) as partition
       from pg_inherits i
      where i.inhparent = $1::regclass`,
    [qualified(policy.schema, policy.table)],
  )
  assert.ok(rows.length > 0)
  for (const { parent, partition } of rows) assert.equal(partition, parent)
}
