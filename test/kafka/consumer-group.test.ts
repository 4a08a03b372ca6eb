import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Claim } from '../../src/kafka/claim.ts'
import type { StartingPoint } from '../../src/kafka/consumer-group.ts'
import { eventually } from '../support/eventually.ts'
import { payment } from '../support/payments.ts'
import { createTestTopics } from '../support/test-topic.ts'
import { joinTestGroup, resolveAll } from './test-member.ts'

const topics = await createTestTopics()
after(() => topics[Symbol.asyncDispose]())
const { admin, producer } = topics

async function committedOf(group: string, topic: string): Promise<string | null> {
  return (await admin.fetchCommittedOffsets(group, topic))[0]?.offset ?? null
}

async function topicOf(count: number, partitions = 1): Promise<string> {
  const topic = await topics.create(partitions)
  const records = Array.from({ length: count }, (_, number) =>
    payment(`evt-${number}`, { partition: number % partitions }),
  )
  await producer.send(topic, records)
  return topic
}

test('nothing is fetched until the owner has said where to read, and then it begins there', async () => {
  const topic = await topicOf(5)
  const answer = Promise.withResolvers<StartingPoint[]>()
  const offsets: string[] = []
  await using member = await joinTestGroup(topic, {
    assigned: () => answer.promise,
    async batch(fetched, claim) {
      offsets.push(...fetched.records.map(({ offset }) => offset))
      resolveAll(fetched, claim)
    },
  })
  await eventually('an assignment', () => member.assignment() === 1)
  // Another group reads the same records meanwhile: there was time to fetch them.
  await using _other = await joinTestGroup(topic, {
    async batch(fetched, claim) {
      if (fetched.lastOffset === '4') answer.resolve([{ topic, partition: 0, offset: '3' }])
      resolveAll(fetched, claim)
    },
  })
  await answer.promise
  await eventually('the last record', () => offsets.at(-1) === '4')
  assert.deepEqual(offsets, ['3', '4'])
})

test('a partition that the owner leaves out stays paused, and is read once it says where', async () => {
  const topic = await topicOf(4, 2)
  const seen: string[] = []
  await using member = await joinTestGroup(topic, {
    assigned: async () => [{ topic, partition: 0, offset: '0' }],
    async batch(fetched, claim) {
      seen.push(...fetched.records.map(({ offset }) => `${fetched.partition}@${offset}`))
      resolveAll(fetched, claim)
    },
  })
  await eventually('the first partition', () => seen.length === 2)
  assert.deepEqual(seen, ['0@0', '0@1'])
  member.readFrom([{ topic, partition: 1, offset: '1' }])
  await eventually('the second partition', () => seen.length === 3)
  assert.deepEqual(seen, ['0@0', '0@1', '1@1'])
})

test('a claim commits its offset while it is held, also where nothing has been resolved', async () => {
  const topic = await topicOf(3)
  const committed = Promise.withResolvers<string>()
  await using member = await joinTestGroup(topic, {
    async batch(fetched, claim) {
      using _heartbeats = claim
      assert.equal(claim.isHeld(), true)
      claim.resolve(fetched.lastOffset)
      committed.resolve(await claim.commit('2'))
    },
  })
  assert.equal(await committed.promise, 'committed')
  assert.equal(await committedOf(member.group, topic), '2')
})

test('records that were not resolved come again after a pause, and others are read meanwhile', async () => {
  const topic = await topicOf(4, 2)
  const seen: string[] = []
  let paused: Claim | undefined
  await using _member = await joinTestGroup(topic, {
    async batch(fetched, claim) {
      seen.push(`${fetched.partition}@${fetched.records[0]?.offset}`)
      if (fetched.partition === 0 && paused === undefined) {
        paused = claim
        claim.pause()
        claim[Symbol.dispose]()
        return
      }
      resolveAll(fetched, claim)
    },
  })
  await eventually('both partitions', () => seen.includes('0@0') && seen.includes('1@0'))
  await producer.send(topic, [payment('late', { partition: 1 })])
  await eventually('the other partition to go on', () => seen.includes('1@2'))
  assert.equal(seen.filter((place) => place === '0@0').length, 1)
  paused?.resume()
  await eventually('the same records again', () => seen.filter((place) => place === '0@0').length === 2)
})

test('assignments are numbered, and a claim of an earlier one commits nothing', async () => {
  const topic = await topicOf(2, 2)
  const claims: Claim[] = []
  const release = Promise.withResolvers<void>()
  await using first = await joinTestGroup(topic, {
    async batch(_, claim) {
      claims.push(claim)
      await release.promise
    },
  })
  await eventually('a batch of each partition', () => claims.length === 2)
  assert.ok(claims.every((claim) => claim.isHeld()))
  assert.equal(first.assignment(), 1)
  const joining = joinTestGroup(topic, {}, first.group)
  await eventually('the rebalance to end the claims', () => claims.every((claim) => !claim.isHeld()))
  release.resolve()
  await using _second = await joining
  await eventually('a new assignment', () => (first.assignment() ?? 0) > 1)
  for (const claim of claims.slice(0, 2)) {
    assert.equal(claim.isHeld(), false)
    claim.resolve('0')
    assert.equal(await claim.commit('1'), 'not-ours')
    claim[Symbol.dispose]()
  }
  assert.equal(await committedOf(first.group, topic), null)
  for (const claim of claims) claim[Symbol.dispose]()
})

test('an error that kafkajs does not survive is followed by a new membership that reads on', async () => {
  const topic = await topicOf(3)
  const crashes: string[] = []
  const seen: string[] = []
  await using member = await joinTestGroup(topic, {
    async batch(fetched, claim) {
      if (crashes.length === 0) {
        claim[Symbol.dispose]()
        // kafkajs takes a TypeError for a fault of the program, and ends for good.
        throw new TypeError('of the owner')
      }
      seen.push(...fetched.records.map(({ offset }) => offset))
      resolveAll(fetched, claim)
    },
    crashed: (error, waitMs) => crashes.push(`${error.message}, ${waitMs}`),
  })
  await eventually('the crash', () => crashes.length === 1)
  assert.deepEqual(crashes, ['of the owner, 1000'])
  assert.equal(member.assignment(), null)
  await eventually('the records again', () => seen.length === 3)
  assert.deepEqual(seen, ['0', '1', '2'])
  assert.equal(member.assignment(), 2)
})

test('without an assignment, after the end, nothing can be paused or read, and nothing breaks', async () => {
  const topic = await topicOf(1)
  const member = await joinTestGroup(topic)
  await eventually('an assignment', () => member.assignment() === 1)
  await member.stop()
  await member.stop()
  assert.equal(member.assignment(), null)
  member.pause([{ topic, partition: 0 }])
  member.readFrom([{ topic, partition: 0, offset: '0' }])
})
