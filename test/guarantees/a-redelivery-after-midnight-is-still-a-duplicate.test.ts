import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, startOfDay } from '../../src/calendar/period.ts'
import { identifier } from '../../src/postgres/identifier.ts'
import { todayOf } from '../maintenance/maintenance-bench.ts'
import { createConsumerBench } from '../support/consumer-bench.ts'
import { assertEachOnce, EFFECT_STATEMENT, TYPESCRIPT_HANDLER } from '../support/ledger.ts'
import { payment } from '../support/payments.ts'
import { startConsumerProcess } from '../support/start-consumer-process.ts'

/** The zones of the processes that deliver in turn: in each of them the midnight of another moment. */
const ZONES = ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles', 'Asia/Kathmandu']

for (const handlerPath of [EFFECT_STATEMENT, TYPESCRIPT_HANDLER]) {
  const form = handlerPath.endsWith('.sql') ? 'a statement' : 'TypeScript'
  test(`records on both sides of midnight meet their markers in whichever zone they come again, by ${form}`, async () => {
    await using bench = await createConsumerBench()
    const { database, settings } = bench.db
    const today = await todayOf(database)
    const midnight = startOfDay(today)
    const minute = 60_000
    const instants = [-720, -16, -15, -1, 0, 1, 14, 15, 720].map((minutes) => midnight + minutes * minute)
    instants.push(midnight - 1)
    const ids = instants.map((instant) => `evt-${instant}`)
    await bench.send(instants.map((timestampMs, number) => payment(ids[number] ?? '', { timestampMs })))

    for (const zone of ZONES) {
      await database.query(`alter database ${identifier(bench.db.name)} set timezone to ${literal(zone)}`)
      const options = { settings: bench.settings, database: settings, kafka: bench.topics.kafka, handlerPath }
      await using process = startConsumerProcess(options, zone)
      await bench.committed(instants.length)
      await assertEachOnce(database, ids)
      process.signal('SIGTERM')
      await process.ended
      await bench.forgetOffsets()
    }
    const { rows } = await database.query<{ day: string; count: number }>(
      `select to_char(marker_day, 'YYYY-MM-DD') as day, count(*)::int as count
         from daymark.processed_events where not overlap group by 1 order by 1`,
    )
    assert.deepEqual(rows, [
      { day: addDays(today, -1), count: 5 },
      { day: today, count: 5 },
    ])
  })
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
