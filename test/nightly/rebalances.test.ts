import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../examples/payments/seeded-random.ts'
import { createConsumerBench } from '../support/consumer-bench.ts'
import { eventually } from '../support/eventually.ts'
import { assertEachOnce, eventuallyApplied, TYPESCRIPT_HANDLER } from '../support/ledger.ts'
import { eventIds, payment } from '../support/payments.ts'
import { type ConsumerProcess, startConsumerProcess } from '../support/start-consumer-process.ts'

const EVENTS = 500_000
const ROUNDS = 25
const PARTITIONS = 6
const CATCH_UP_MS = 120_000

/** What befalls a member. A thawed one comes back past its session, in whatever it was doing. */
const DEEDS = ['join', 'leave', 'kill', 'freeze', 'thaw'] as const

test('25 random rebalances over 500,000 events, by members that join, leave, die, freeze and come back, lose and double none', async (t) => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  t.diagnostic(`seed ${seed}`)
  const random = seededRandom(seed)
  await using bench = await createConsumerBench({ partitions: PARTITIONS, batchTimeoutMs: 5_000 })
  const { settings, db, topics } = bench
  await using stack = new AsyncDisposableStack()
  const awake: ConsumerProcess[] = []
  const frozen: ConsumerProcess[] = []
  const start = (): void => {
    const options = { settings, database: db.settings, kafka: topics.kafka, handlerPath: TYPESCRIPT_HANDLER }
    awake.push(stack.use(startConsumerProcess(options)))
  }
  const takeOne = (from: ConsumerProcess[]): ConsumerProcess | undefined =>
    from.splice(Math.floor(random() * from.length), 1)[0]

  async function befall(deed: (typeof DEEDS)[number]): Promise<void> {
    const member = deed === 'join' ? undefined : takeOne(deed === 'thaw' ? frozen : awake)
    if (deed === 'kill') await member?.kill()
    if (deed === 'leave') {
      member?.signal('SIGTERM')
      assert.equal((await member?.ended) ?? 0, 0)
    }
    if (deed === 'freeze' && member !== undefined) {
      member.signal('SIGSTOP')
      frozen.push(member)
    }
    if (deed === 'thaw' && member !== undefined) {
      member.signal('SIGCONT')
      awake.push(member)
    }
    // Somebody has to be there, and a machine of two cores holds no crowd.
    if (awake.length === 0 || (deed === 'join' && awake.length < 4)) start()
  }

  const ids = eventIds('evt', EVENTS)
  start()
  const perRound = EVENTS / ROUNDS
  for (let round = 0; round < ROUNDS; round++) {
    for (let from = round * perRound; from < (round + 1) * perRound; from += 5_000) {
      await bench.send(
        ids
          .slice(from, from + 5_000)
          .map((id) => payment(id, { partition: Math.floor(random() * PARTITIONS) })),
      )
    }
    await eventuallyApplied(db.database, Math.floor((round + random()) * perRound), CATCH_UP_MS)
    const deed = DEEDS[Math.floor(random() * DEEDS.length)] ?? 'join'
    t.diagnostic(`after ${(round + 1) * perRound} events: ${deed}`)
    await befall(deed)
  }
  for (const member of frozen) member.signal('SIGCONT')
  await eventuallyApplied(db.database, EVENTS, CATCH_UP_MS)
  await assertEachOnce(db.database, ids)
  await bench.committed(EVENTS, CATCH_UP_MS)
  await eventually('nothing set aside', async () => (await bench.deadLetters()).length === 0)
})
