import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../examples/payments/seeded-random.ts'
import { addDays } from '../../src/calendar/period.ts'
import { freePort } from '../../src/local/free-port.ts'
import { silentObserver } from '../../src/maintenance/maintenance-observer.ts'
import { planAdoption } from '../../src/maintenance/run-adopt.ts'
import { openDirectSession } from '../../src/postgres/direct-session.ts'
import { migrateSchema } from '../../src/postgres/migrate.ts'
import { silentLog } from '../../src/process/log.ts'
import { OWN_RETENTION, setFence, todayOf } from '../maintenance/maintenance-bench.ts'
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench.ts'
import { runDaymark, startDaymark } from '../support/daymark-process.ts'
import { eventually } from '../support/eventually.ts'
import { appliedIds, assertSameIds, eventuallyApplied, TYPESCRIPT_HANDLER } from '../support/ledger.ts'
import { lockWaits } from '../support/lock-waits.ts'
import { startServer } from '../support/own-postgres.ts'
import { eventIds, payment } from '../support/payments.ts'
import { createRunbookTable } from '../support/runbook-table.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'
import { startRunbookConsumer } from '../support/start-consumer-process.ts'

const OLD_ROWS = 2_000_000
const PARTITIONS = 4
const ROUNDS = 6
const DEBIAN = new URL('../support/debian-postgres.ts', import.meta.url).pathname

/** Old rows, of which the first have their effects here, for they will be delivered again. */
async function fillRunbookTable(
  { db, settings }: ConsumerBench,
  redelivered: readonly string[],
): Promise<void> {
  await createRunbookTable(db.database)
  await db.database.query(
    `insert into runbook.processed_events (consumer_group, event_id, topic, partition, "offset", processed_at)
     select $1::text, 'old-' || lpad(n::text, 7, '0'), 'payments', 0, n, now() - interval '30 days'
       from generate_series(0, $2::integer - 1) as n`,
    [settings.group, OLD_ROWS],
  )
  await db.database.query('insert into ledger_entries (event_id) select unnest($1::text[])', [
    `{${redelivered.join(',')}}`,
  ])
}

test('a table of two million rows is adopted and dropped under load, killed at every step, and no event is applied twice or lost', async (t) => {
  const seed = 17
  t.diagnostic(`seed ${seed}`)
  const random = seededRandom(seed)
  await using bench = await createConsumerBench({ partitions: PARTITIONS })
  const { database } = bench.db
  const topic = await bench.topics.create(PARTITIONS, { 'retention.ms': '604800000' })
  const olds = eventIds('old', 1_000)
  const news = eventIds('new', ROUNDS * 4_000)
  await fillRunbookTable(bench, olds)
  const variables = {
    DATABASE_URL: bench.db.settings.url ?? '',
    KAFKA_BROKERS: bench.topics.kafka.brokers.join(','),
    KAFKA_GROUP_ID: bench.settings.group,
    KAFKA_TOPICS: topic,
    DAYMARK_CONSUMER_HANDLER: TYPESCRIPT_HANDLER,
    DAYMARK_CONSUMER_SESSION_TIMEOUT: '6 seconds',
    DAYMARK_HTTP_PORT: '0',
  }
  const old = { group: bench.settings.group, topic, kafka: bench.topics.kafka, database: bench.db.settings }
  const applied = (count: number): Promise<void> => eventuallyApplied(database, olds.length + count, 90_000)
  /** New events, each of them twice, between old ones that come again. */
  const sendRound = async (round: number): Promise<void> => {
    const piece = news.slice(round * 4_000, (round + 1) * 4_000)
    // In the last round those of the round before: their markers are daymark's own by then, and the old table is gone.
    const from = Math.min(round, ROUNDS - 2) * 150
    const again = olds.slice(from, from + 150)
    const ids = [...piece, ...again, ...piece]
    await bench.send(
      ids.map((id) => payment(id, { partition: Math.floor(random() * PARTITIONS) })),
      topic,
    )
  }

  await using firstOld = startRunbookConsumer(old)
  await using secondOld = startRunbookConsumer(old)
  await sendRound(0)
  await applied(200)

  // The adoption, killed while it begins; whether it came as far as its commit or not, it is done or done again.
  {
    await using killed = startDaymark(['adopt', 'runbook.processed_events', '--yes'], variables)
    await eventually('it to have connected', async () => {
      const { rowCount } = await database.query(
        `select from pg_stat_activity where datname = current_database() and application_name like 'daymark%maint%'`,
      )
      return (rowCount ?? 0) > 0
    })
    killed.signal('SIGKILL')
    await killed.ended
  }
  const adopted = await runDaymark(['adopt', 'runbook.processed_events', '--yes'], variables)
  assert.ok(adopted.exitCode === 0 || /adopted already/.test(adopted.stderr), adopted.stderr)

  // Both kinds in one group: daymark's joins, an old one is killed, daymark's is killed, and the last old one leaves.
  {
    await using first = startDaymark(['consume'], variables)
    await sendRound(1)
    await applied(5_000)
    await firstOld.kill()
    await sendRound(2)
    await applied(9_000)
    first.signal('SIGKILL')
    await first.ended
  }
  await using consumer = startDaymark(['consume'], variables)
  await sendRound(3)
  await applied(13_000)
  await secondOld.kill()
  await sendRound(4)
  await applied(20_000)

  // Its last row lies far behind the fence now: it is retired, rests, and is dropped, while events go on.
  const today = await todayOf(database)
  await database.query(
    `update runbook.processed_events set processed_at = now() - interval '30 days' where processed_at > now() - interval '29 days'`,
  )
  await database.query(`update daymark.elders set adopted_at = now() - interval '30 days'`)
  await setFence(database, addDays(today, -10))
  const retired = await runDaymark(['apply'], variables)
  assert.match(retired.stdout, /ask runbook\.processed_events no more/)
  await sendRound(5)
  await database.query(`update daymark.elders set retired_at = now() - interval '1 hour'`)
  const reader = await bench.db.connect()
  await reader.query('begin')
  await reader.query('select from runbook.processed_events limit 1')
  {
    await using killed = startDaymark(['apply'], variables)
    await eventually('the drop to wait', async () => (await lockWaits(bench.db)) > 0)
    killed.signal('SIGKILL')
    await killed.ended
  }
  await reader.query('commit')
  const dropped = await runDaymark(['apply'], variables)
  assert.match(dropped.stdout, /drop runbook\.processed_events/)
  const { rows } = await database.query(`select to_regclass('runbook.processed_events') as there`)
  assert.deepEqual(rows, [{ there: null }])

  await applied(news.length)
  consumer.signal('SIGTERM')
  const { exitCode, stderr } = await consumer.ended
  assert.equal(exitCode, 0, stderr)
  assertSameIds(await appliedIds(database), [...news, ...olds], 'effects')
})

test('what pg_partman has been told of a table is read, and what to switch off is said', async () => {
  using scratch = makeScratchDirectory()
  process.env.DAYMARK_TEST_POSTGRES_BINARIES = DEBIAN
  await using server = await startServer(scratch.path, await freePort())
  delete process.env.DAYMARK_TEST_POSTGRES_BINARIES
  const direct = {
    url: server.urlOf('postgres'),
    schema: 'daymark',
    poolSize: 1,
    applicationName: 'daymark:test',
  }
  await migrateSchema(direct)
  await using session = await openDirectSession(direct)
  await session.query(
    `create schema partman;
     create extension pg_partman schema partman;
     create schema runbook;
     create table runbook.by_day (event_id text not null, seen_at timestamptz not null) partition by range (seen_at);
     select partman.create_parent('runbook.by_day', 'seen_at', 'native', 'daily');
     update partman.part_config set retention = '8 days' where parent_table = 'runbook.by_day'`,
  )
  const parts = { direct, kafka: null, log: silentLog, observer: silentObserver }
  const adoption = await planAdoption(parts, OWN_RETENTION, { schema: 'runbook', table: 'by_day' })
  assert.equal(adoption.kind, 'maintain')
  assert.match(
    adoption.kind === 'maintain' ? adoption.notes.join('\n') : '',
    /pg_partman looks after it \(every 1 day, 4 ahead, retention 8 days\).*delete from "partman"\."part_config" where parent_table = 'runbook\.by_day'/,
  )
})
