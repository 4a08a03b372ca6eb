import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handler as ledgerHandler } from '../../examples/payments/handler.ts'
import { seededRandom } from '../../examples/payments/seeded-random.ts'
import type { Handler } from '../../src/consumer/handler.ts'
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench.ts'
import type { Halt } from '../support/consumer-process.ts'
import { eventually } from '../support/eventually.ts'
import { assertEachOnce, eventuallyApplied, TYPESCRIPT_HANDLER } from '../support/ledger.ts'
import { eventIds, payment } from '../support/payments.ts'
import { type ConsumerProcess, startConsumerProcess } from '../support/start-consumer-process.ts'
import { createTestTopics } from '../support/test-topic.ts'

function startMember({ settings, db, topics }: ConsumerBench, halt?: Halt): ConsumerProcess {
  return startConsumerProcess({
    settings,
    database: db.settings,
    kafka: topics.kafka,
    handlerPath: TYPESCRIPT_HANDLER,
    ...(halt === undefined ? {} : { halt }),
  })
}

function owns(member: ConsumerProcess, count: number): Promise<unknown> {
  return eventually(`a member with ${count} partitions`, () => member.assigned()?.length === count)
}

test('members join, leave, freeze past their session, come back and are killed under load: nothing is lost or doubled', async (t) => {
  const seed = 7
  t.diagnostic(`seed ${seed}`)
  const random = seededRandom(seed)
  await using bench = await createConsumerBench({ partitions: 6 })
  const ids = eventIds('evt', 60_000)
  let sent = 0
  /** Sends a piece, and waits for a moment at which a part of it has been applied. */
  async function underLoad(): Promise<void> {
    const piece = ids.slice(sent, sent + 10_000)
    const applied = sent + Math.floor(random() * 5_000)
    const partition = (): number => Math.floor(random() * 6)
    await bench.send(piece.slice(0, 5_000).map((id) => payment(id, { partition: partition() })))
    await bench.send(piece.slice(5_000).map((id) => payment(id, { partition: partition() })))
    sent += piece.length
    await eventuallyApplied(bench.db.database, applied)
  }
  await using first = startMember(bench)
  await owns(first, 6)
  await underLoad()
  await using second = startMember(bench)
  await owns(second, 3)
  await underLoad()
  first.signal('SIGTERM')
  assert.equal(await first.ended, 0)
  await using third = startMember(bench)
  await owns(third, 3)
  await underLoad()
  second.signal('SIGSTOP')
  await owns(third, 6)
  await underLoad()
  second.signal('SIGCONT')
  await owns(third, 3)
  await underLoad()
  await third.kill()
  await underLoad()
  await owns(second, 6)
  await eventuallyApplied(bench.db.database, ids.length)
  await assertEachOnce(bench.db.database, ids)
  await bench.committed(ids.length)
})

for (const at of ['before-commit', 'after-commit'] as const) {
  test(`a member that freezes ${at.replace('-', ' its ')} past its session and comes back changes nothing`, async () => {
    await using bench = await createConsumerBench({ batchTimeoutMs: 3_000 })
    await using zombie = startMember(bench, { at, eventId: 'evt-42' })
    await owns(zombie, 1)
    await bench.send([payment('evt-42'), payment('evt-43')])
    await zombie.halted()
    await using next = startMember(bench)
    await owns(next, 1)
    await bench.committed(2)
    const ids = eventIds('after', 1_000)
    await bench.send(ids.map((id) => payment(id)))
    await bench.committed(1_002)
    await next.kill()
    // Its offset commit is due, and its session is over: the group has no member now, and it must join anew.
    zombie.signal('SIGCONT')
    const more = eventIds('more', 100)
    await bench.send(more.map((id) => payment(id)))
    await eventuallyApplied(bench.db.database, 1_102)
    await bench.committed(1_102)
    await assertEachOnce(bench.db.database, ['evt-42', 'evt-43', ...ids, ...more])
  })
}

test('a frozen member that wakes while another one owns its partition takes no offset back', async () => {
  await using bench = await createConsumerBench()
  await using zombie = startMember(bench, { at: 'after-commit', eventId: 'evt-42' })
  await owns(zombie, 1)
  await bench.send([payment('evt-42')])
  await zombie.halted()
  await using _next = startMember(bench)
  await bench.send([payment('evt-43')])
  await bench.committed(2)
  const assignments = zombie.assigned()
  zombie.signal('SIGCONT')
  await eventually('it to have joined again', () => zombie.assigned() !== assignments)
  await bench.committed(2)
  await bench.send([payment('evt-44')])
  await bench.committed(3)
  await assertEachOnce(bench.db.database, ['evt-42', 'evt-43', 'evt-44'])
})

test('a rewind by hand under two members and a zombie applies nothing again, and takes no progress back', async () => {
  await using bench = await createConsumerBench({ partitions: 2 })
  const { database } = bench.db
  const ids = eventIds('evt', 500)
  await using zombie = startMember(bench, { at: 'after-commit', eventId: 'evt-last' })
  await owns(zombie, 2)
  await bench.send(ids.map((id, number) => payment(id, { partition: number % 2 })))
  await bench.committed(ids.length)
  await bench.send([payment('evt-last', { partition: 0 })])
  await zombie.halted()
  // The broker refuses it while the group has a member, which the zombie is until its session is over.
  await eventually('a rewind', () => bench.rewind().then(() => true))
  await using one = startMember(bench)
  await using two = startMember(bench)
  await eventually('a partition each', () => [one, two].every((member) => member.assigned()?.length === 1))
  zombie.signal('SIGCONT')
  await bench.committed(ids.length + 1, 60_000)
  await assertEachOnce(database, [...ids, 'evt-last'])
  const { rows } = await database.query<{ progress: number }>(
    'select sum(next_offset)::int as progress from daymark.consumer_progress',
  )
  assert.equal(rows[0]?.progress, ids.length + 1)
})

test('partitions that are added during a slow batch are read after the next rebalance, and the slow one is not lost', async () => {
  await using bench = await createConsumerBench({ partitions: 2 })
  const gate = Promise.withResolvers<void>()
  let isInHand = false
  const handler: Handler = {
    kind: 'batch',
    async apply(events, tx) {
      if (events.some(({ eventId }) => eventId === 'slow')) {
        isInHand = true
        await gate.promise
      }
      if (ledgerHandler.kind === 'batch') await ledgerHandler.apply(events, tx)
    },
  }
  await using first = await bench.start({ handler })
  await bench.send([payment('slow', { partition: 0 }), payment('quick', { partition: 1 })])
  await eventually('the slow batch to be in hand', () => isInHand)
  await bench.topics.admin.growTopic(bench.topic, 4)
  await using second = await bench.start({ handler })
  await eventually('two partitions each', () =>
    [first, second].every((consumer) => consumer.snapshot().partitions.length === 2),
  )
  const ids = eventIds('evt', 400)
  {
    // A producer learns of new partitions late.
    await using topics = await createTestTopics()
    await topics.producer.send(
      bench.topic,
      ids.map((id, number) => payment(id, { partition: number % 4 })),
    )
  }
  await eventuallyApplied(bench.db.database, 301)
  gate.resolve()
  await bench.committed(402)
  await assertEachOnce(bench.db.database, ['slow', 'quick', ...ids])
})

test('ten rebalances under load, by members that come and go, lose nothing', async () => {
  await using bench = await createConsumerBench({ partitions: 4, batchRows: 100 })
  const ids = eventIds('evt', 30_000)
  await using first = await bench.start({ handler: ledgerHandler })
  for (let round = 0; round < 5; round++) {
    const piece = ids.slice(round * 6_000, (round + 1) * 6_000)
    await using guest = await bench.start({ handler: ledgerHandler })
    await bench.send(piece.map((id, number) => payment(id, { partition: number % 4 })))
    await eventually('two partitions each', () =>
      [first, guest].every((consumer) => consumer.snapshot().partitions.length === 2),
    )
    await eventuallyApplied(bench.db.database, round * 6_000 + 1_000)
  }
  await eventuallyApplied(bench.db.database, ids.length)
  await bench.committed(ids.length)
  await assertEachOnce(bench.db.database, ids)
  const ended = bench.log.lines.filter(({ sentence }) => sentence.includes('membership ended'))
  assert.deepEqual(ended, [])
})
