import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { addDays, startOfDay } from '../../src/calendar/period.ts'
import { setFence, todayOf } from '../maintenance/maintenance-bench.ts'
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench.ts'
import { eventually } from '../support/eventually.ts'
import { appliedIds, assertEachOnce, eventuallyApplied, markedIds } from '../support/ledger.ts'
import { eventIds, payment } from '../support/payments.ts'

/** Debian's, which its packages of psycopg and confluent-kafka belong to. */
const PYTHON = '/usr/bin/python3'
const SCRIPT = fileURLToPath(new URL('../../examples/python/consumer.py', import.meta.url))
const MINUTE = 60_000

/** The example as a process of its own. Disposing kills it, where it still runs. */
function startPython({ db, topics, topic, settings }: ConsumerBench) {
  const child = spawn(PYTHON, [SCRIPT], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: db.settings.url,
      KAFKA_BROKERS: topics.kafka.brokers.join(','),
      KAFKA_GROUP_ID: settings.group,
      KAFKA_TOPIC: topic,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  const ended = once(child, 'close').then(() => ({ exitCode: child.exitCode, ...output }))
  return {
    signal: (name: NodeJS.Signals) => child.kill(name),
    ended,
    /** How often each outcome was told. */
    outcomes(): Record<string, number> {
      const told = [...output.stdout.matchAll(/outcome=(\w+)/g)].map(([, outcome]) => outcome ?? '')
      return Object.fromEntries([...Map.groupBy(told, (one) => one)].map(([name, all]) => [name, all.length]))
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

test('a consumer in Python applies each event once, through kills, rewinds and copies across midnight', async () => {
  await using bench = await createConsumerBench({ partitions: 2 })
  const today = startOfDay(await todayOf(bench.db.database))
  const ids = eventIds('evt', 300)
  await bench.send(ids.map((id, number) => payment(id, { partition: number % 2 })))
  // Published again on the other side of midnight, within the overlap.
  for (const timestampMs of [today - 5 * MINUTE, today + 5 * MINUTE]) {
    await bench.send([payment('republished', { timestampMs, partition: 0 })])
  }
  {
    await using python = startPython(bench)
    await eventuallyApplied(bench.db.database, 100)
    python.signal('SIGKILL')
    await python.ended
  }
  {
    await using python = startPython(bench)
    await bench.committed(302, 60_000)
    python.signal('SIGTERM')
    const { exitCode, stderr } = await python.ended
    assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' })
  }
  await assertEachOnce(bench.db.database, [...ids, 'republished'])
  await bench.rewind()
  await using again = startPython(bench)
  await eventually('all to be told for duplicates', () => again.outcomes().duplicate === 302)
  assert.deepEqual(again.outcomes(), { duplicate: 302 })
  await assertEachOnce(bench.db.database, [...ids, 'republished'])
})

test('a consumer in Python and one of daymark’s share a group’s markers, and both heed the fence', async () => {
  await using bench = await createConsumerBench()
  const today = await todayOf(bench.db.database)
  const olds = eventIds('old', 5)
  const news = eventIds('new', 5)
  const noonOf = (day: string): number => startOfDay(day) + 12 * 60 * MINUTE
  await bench.send(olds.map((id) => payment(id, { timestampMs: noonOf(addDays(today, -1)) })))
  await bench.send(news.map((id) => payment(id, { timestampMs: noonOf(today) })))
  {
    await using _consumer = await bench.start()
    await bench.committed(10)
  }
  await bench.forgetOffsets()
  await setFence(bench.db.database, addDays(today, -1))
  await using python = startPython(bench)
  await bench.committed(10, 60_000)
  await eventually('its last line', () => Object.values(python.outcomes()).reduce((a, b) => a + b, 0) === 10)
  assert.deepEqual(python.outcomes(), { expired: 5, duplicate: 5 })
  assert.deepEqual(await appliedIds(bench.db.database), [...news, ...olds])
  assert.deepEqual(await markedIds(bench.db.database), [...news, ...olds])
})

test('a handler in Python that fails leaves neither marker nor effect, and its offset stays', async () => {
  await using bench = await createConsumerBench()
  await bench.send([payment('good'), { key: 'k', value: 'no JSON', headers: { 'event-id': 'bad' } }])
  await using python = startPython(bench)
  const { exitCode, stderr } = await python.ended
  assert.equal(exitCode, 1)
  assert.match(stderr, /JSONDecodeError/)
  await assertEachOnce(bench.db.database, ['good'])
  await bench.committed(1)
})
