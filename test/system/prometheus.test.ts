import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { addDays, dayOf } from '../../src/calendar/period.ts'
import { openReader, pendingName, terminate } from '../maintenance/interrupted-table.ts'
import { brokenRecords } from '../support/bad-events.ts'
import { eventually } from '../support/eventually.ts'
import { eventIds, payment } from '../support/payments.ts'
import { assertReplayed, type Moment } from '../support/replayed-alarms.ts'
import { scaleRules } from '../support/scaled-rules.ts'
import { startWatchedPipeline, type WatchedPipeline } from '../support/watched-pipeline.ts'

const RULES = readFileSync(new URL('../../deploy/prometheus/alerts.yaml', import.meta.url), 'utf8')
/** An hour of the alarms passes in 18 s. */
const DIVISOR = 200

let pipeline: WatchedPipeline
const ids = eventIds('watched', 5_000)
/** What was scraped while all was well, and under each fault; replayed at the end against the alarms as they are. */
const moments: Moment[] = []

before(async () => {
  pipeline = await startWatchedPipeline(scaleRules(RULES, DIVISOR))
  await pipeline.send(ids.map((id, number) => payment(id, { partition: number % 2 })))
  await pipeline.applied(ids.length)
})
after(() => pipeline?.[Symbol.asyncDispose]())

/** Waits until an alarm fires, and keeps what was scraped by then. */
async function expectAlarm(...names: readonly string[]): Promise<void> {
  await eventually(
    `${names.join(', ')} to fire`,
    async () => {
      const firing = await pipeline.prometheus.firing()
      if (names.every((name) => firing.includes(name))) return true
      throw new Error(`firing: ${firing.join(', ') || 'none'}`)
    },
    60_000,
  )
  moments.push({ alarms: names, series: await pipeline.prometheus.scraped() })
}

async function expectQuiet(...names: readonly string[]): Promise<void> {
  await eventually(
    `${names.join(', ')} to be over`,
    async () => {
      const firing = await pipeline.prometheus.firing()
      if (names.every((name) => !firing.includes(name))) return true
      throw new Error(`firing: ${firing.join(', ')}`)
    },
    60_000,
  )
}

function dayAhead(days: number): string {
  return addDays(dayOf(Date.now()) ?? '', days).replaceAll('-', '_')
}

test('while all is well no alarm fires, though each has what it looks at', async () => {
  // As long as the longest "for", so that whatever would fire has had the time to.
  await eventually('20 s of both processes', async () => {
    const counts = await pipeline.prometheus.query('min(sum_over_time(up[1m])) and count(up) == 2')
    return (counts[0]?.value ?? 0) >= 40
  })
  assert.deepEqual(await pipeline.prometheus.firing(), [])
  moments.push({ alarms: [], series: await pipeline.prometheus.scraped() })
})

test('broken records: dead letters are growing', async () => {
  await pipeline.send(brokenRecords())
  await expectAlarm('DaymarkDeadLetters')
})

test('every event published again: duplicates are out of range', async () => {
  await pipeline.send(ids.map((id, number) => payment(id, { partition: number % 2 })))
  await expectAlarm('DaymarkDuplicateRatio')
})

test('an effect whose table is gone: a topic partition waits, and there is no progress though there is lag', async () => {
  await pipeline.db.database.query('alter table ledger_entries rename to ledger_entries_away')
  await pipeline.send([payment('waits')])
  await expectAlarm('DaymarkNoProgress', 'DaymarkTopicPartitionWaits')
  await pipeline.db.database.query('alter table ledger_entries_away rename to ledger_entries')
  await expectQuiet('DaymarkNoProgress', 'DaymarkTopicPartitionWaits')
})

test('records that the broker deletes before they are read, found before the first scrape: records are lost', async () => {
  await pipeline.stop('consume')
  const { topics, topic } = pipeline
  await pipeline.send(eventIds('lost', 20).map((id) => payment(id, { partition: 0 })))
  const marks = await topics.admin.fetchMarks(topic)
  await topics.admin.deleteRecords(topic, [{ partition: 0, offset: marks?.[0]?.high ?? '0' }])
  await pipeline.start('consume')
  await expectAlarm('DaymarkRecordsLost')
  const accepted = await pipeline.run('progress', 'accept-loss', topic, '0', '--yes')
  assert.equal(accepted.exitCode, 0, accepted.stderr)
  await expectQuiet('DaymarkTopicPartitionWaits')
})

test('a detach that was cut off: a detach is pending, and the next run ends the alarm', async () => {
  const { db } = pipeline
  const detach = `alter table daymark.processed_events detach partition daymark.processed_events_${dayAhead(7)} concurrently`
  const reader = await openReader(db)
  const detaching = assert.rejects(db.database.query(detach))
  await eventually('the detach to wait', () => pendingName(db))
  await terminate(db, `query like 'alter table%concurrently'`)
  await detaching
  await expectAlarm('DaymarkDetachPending')
  await reader.query('commit')
  await pipeline.run('apply')
  await expectQuiet('DaymarkDetachPending')
})

test("a topic's retention made longer: it has grown, the margin is negative, and the markers are young", async () => {
  await pipeline.setRetentionDays(30)
  await pipeline.run('apply')
  await expectAlarm('DaymarkRetentionLengthened', 'DaymarkMarginNegative')
  await expectAlarm('DaymarkMarkersYoung')
})

test('no worker, and no partition for tomorrow', async () => {
  await pipeline.stop('maintain')
  for (const days of [1, 2, 3])
    await pipeline.db.database.query(`drop table daymark.processed_events_${dayAhead(days)}`)
  await expectAlarm('DaymarkNoPartitionForTomorrow')
})

test('what was scraped meanwhile, an hour of each, makes the alarms as they are fire in promtool', () => {
  assertReplayed(moments)
})
