import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openReader, tableWithOldDays } from '../maintenance/interrupted-table.ts'
import { runDaymark } from '../support/daymark-process.ts'
import { eventually } from '../support/eventually.ts'

/** As text, and as the rest of the world reads it. */
async function planned(url: string | undefined): Promise<{ text: string; plan: Planned }> {
  const variables = { DATABASE_URL: url ?? '', DAYMARK_MAINTENANCE_RETENTION: '8 days' }
  const text = await runDaymark(['plan'], variables)
  const json = await runDaymark(['plan', '--json'], variables)
  return { text: text.stdout, plan: JSON.parse(json.stdout).plans[0] }
}

type Planned = {
  readonly holders: readonly { readonly pid: number; readonly ageMs: number; readonly user: string }[]
  readonly steps: readonly {
    readonly kind: string
    readonly estimatedRows: number
    readonly estimatedBytes: number
  }[]
}

test('a plan with a removal says whose transaction it would wait for, and how much goes', async () => {
  const { db, older } = await tableWithOldDays()
  await using _ = db
  await db.database.query(
    `insert into daymark.processed_events (event_id, consumer_group, marker_day, topic, partition, "offset")
     select 'sized-' || g, 'ledger-writer', $1::date, 'payments', 0, g from generate_series(1, 2999) g`,
    [older],
  )
  await db.database.query('analyze daymark.processed_events')
  assert.deepEqual((await planned(db.settings.url)).plan.holders, [])

  const reader = await openReader(db)
  const prepared = await db.connect()
  await prepared.query('begin')
  await prepared.query('select from daymark.processed_events limit 1')
  await prepared.query(`prepare transaction '${db.name}'`)
  const { text, plan } = await eventually('both to be old enough', async () => {
    const found = await planned(db.settings.url)
    return found.plan.holders.length === 2 && found.text.match(/in use: by /g)?.length === 2 && found
  })
  await db.database.query(`rollback prepared '${db.name}'`)
  await reader.query('rollback')

  assert.deepEqual(plan.holders.map(({ pid }) => pid).sort(), [0, reader.pid].sort())
  for (const holder of plan.holders) assert.ok(holder.ageMs >= 1_000 && holder.user === 'postgres')
  const removal = plan.steps.find(({ kind }) => kind === 'remove-day')
  assert.equal(removal?.estimatedRows, 3_000)
  assert.ok((removal?.estimatedBytes ?? 0) > 100_000)
  assert.match(text, /^ {4}size +about 3,000 rows, \d+\.\d MiB$/m)
  assert.match(
    text,
    new RegExp(
      `^ {2}in use: by process ${reader.pid} \\(user postgres, .*idle in transaction, for .+last statement at .+\\); a drop would wait`,
      'm',
    ),
  )
  assert.match(text, /^ {2}in use: by a prepared transaction \(user postgres, for /m)
})
