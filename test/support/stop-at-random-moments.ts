import assert from 'node:assert/strict'
import { seededRandom } from '../../examples/payments/seeded-random.ts'
import { createConsumerBench } from './consumer-bench.ts'
import { startDaymark } from './daymark-process.ts'
import { assertEachOnce, eventuallyApplied, TYPESCRIPT_HANDLER } from './ledger.ts'
import { eventIds, payment } from './payments.ts'
import { newGroup } from './test-consumer.ts'

const EVENTS_A_ROUND = 10_000
const SHUTDOWN_TIMEOUT_MS = 5_000
/** What a process needs to end beside its stop: a rollback, the log's last lines. */
const ENDING_MS = 2_500

/**
 * Sends `daymark consume` a SIGTERM at a random moment of each round, and starts the next one. Each is to end with 0 within
 * its time, and in the end each event has been applied once.
 */
export async function stopAtRandomMoments(rounds: number, seed: number): Promise<void> {
  await using bench = await createConsumerBench()
  const random = seededRandom(seed)
  const topic = await bench.topics.create(2, { 'retention.ms': '604800000' })
  const variables = {
    DATABASE_URL: bench.db.settings.url ?? '',
    KAFKA_BROKERS: bench.topics.kafka.brokers.join(','),
    KAFKA_GROUP_ID: newGroup(),
    KAFKA_TOPICS: topic,
    DAYMARK_CONSUMER_HANDLER: TYPESCRIPT_HANDLER,
    DAYMARK_CONSUMER_SHUTDOWN_TIMEOUT: `${SHUTDOWN_TIMEOUT_MS / 1_000} seconds`,
    DAYMARK_HTTP_PORT: '0',
  }
  const ids = eventIds('evt', rounds * EVENTS_A_ROUND)
  for (let round = 0; round < rounds; round++) {
    await using daymark = startDaymark(['consume'], variables)
    const piece = ids.slice(round * EVENTS_A_ROUND, (round + 1) * EVENTS_A_ROUND)
    await bench.send(
      piece.map((id, number) => payment(id, { partition: number % 2 })),
      topic,
    )
    await Promise.race([
      eventuallyApplied(bench.db.database, Math.floor((round + random()) * EVENTS_A_ROUND)),
      daymark.ended.then(({ stderr }) => assert.fail(`it ended by itself: ${stderr}`)),
    ])
    daymark.signal('SIGTERM')
    const askedAt = performance.now()
    const { exitCode } = await daymark.ended
    const tookMs = performance.now() - askedAt
    assert.equal(exitCode, 0)
    assert.ok(tookMs < SHUTDOWN_TIMEOUT_MS + ENDING_MS, `ending took ${Math.round(tookMs)} ms`)
  }
  await using _last = startDaymark(['consume'], variables)
  await eventuallyApplied(bench.db.database, ids.length)
  await assertEachOnce(bench.db.database, ids)
}
