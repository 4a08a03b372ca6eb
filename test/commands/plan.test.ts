import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDaymark } from '../support/daymark-process.ts'
import { createTestDatabase } from '../support/test-database.ts'

/** A retention of its own, so that no broker is needed. */
function variablesFor(url: string | undefined): Record<string, string> {
  return { DATABASE_URL: url ?? '', DAYMARK_MAINTENANCE_RETENTION: '8 days' }
}

test('plan shows what apply then does, and nothing is left to do', async () => {
  await using db = await createTestDatabase()
  const variables = variablesFor(db.settings.url)
  const before = await runDaymark(['plan', '--json', '--exit-code'], variables)
  assert.equal(before.exitCode, 3)
  const planned = JSON.parse(before.stdout)
  assert.equal(planned.schemaVersion, 1)
  assert.equal(planned.plans[0].steps[0].kind, 'write-fence')

  const applied = await runDaymark(['apply', '--json'], variables)
  assert.equal(applied.exitCode, 0)
  const [make] = JSON.parse(applied.stdout).runs
  assert.equal(make.outcome, 'done')
  assert.deepEqual(
    make.steps.map((each: { step: { partition: string | null } }) => each.step.partition),
    planned.plans[0].steps
      .filter((step: { run: string }) => step.run === 'make')
      .map((step: { partition: string | null }) => step.partition),
  )
  const after = await runDaymark(['plan', '--exit-code'], variables)
  assert.equal(after.exitCode, 0)
})

test('a dry run shows the same plan for people, with reason, lock and SQL, and does nothing', async () => {
  await using db = await createTestDatabase()
  const variables = variablesFor(db.settings.url)
  const plan = await runDaymark(['plan'], variables)
  const dryRun = await runDaymark(['apply', '--dry-run'], variables)
  assert.deepEqual([dryRun.exitCode, dryRun.stdout], [0, plan.stdout])
  assert.match(plan.stdout, /^daymark\.processed_events\n {2}today +\d{4}-\d{2}-\d{2}$/m)
  assert.match(
    plan.stdout,
    /^ {2}2\. make \d{4}-\d{2}-\d{2}: .+ without a partition\n {4}lock +share update/m,
  )
  assert.match(plan.stdout, /^ {4}sql +create table "daymark"\."processed_events_\d{4}_\d{2}_\d{2}" \(like /m)
  const { rows } = await db.database.query('select from daymark.maintenance_runs')
  assert.equal(rows.length, 0)
})

test('without a retention the topics have to say it, so brokers are asked for by name', async () => {
  await using db = await createTestDatabase()
  const ended = await runDaymark(['plan'], { DATABASE_URL: db.settings.url ?? '' })
  assert.equal(ended.exitCode, 2)
  assert.match(
    ended.stderr,
    /expected KAFKA_BROKERS \(kafka\.brokers\) .+maintenance\.retention gives it otherwise/,
  )
})
