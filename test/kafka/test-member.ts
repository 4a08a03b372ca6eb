import type { Claim } from '../../src/kafka/claim.ts'
import { type GroupMember, type GroupWork, joinGroup } from '../../src/kafka/consumer-group.ts'
import type { FetchedRecords, TopicPartition } from '../../src/kafka/kafka-record.ts'
import { silentLog } from '../../src/process/log.ts'
import { newGroup } from '../support/test-consumer.ts'
import { testKafka } from '../support/test-topic.ts'

/** A member whose owner reads everything from the beginning, resolves it, and commits nothing. */
export async function joinTestGroup(
  topic: string,
  work: Partial<GroupWork> = {},
  group = newGroup(),
): Promise<GroupMember & AsyncDisposable & { readonly group: string }> {
  const member = await joinGroup(
    { kafka: testKafka(), group, topics: [topic], concurrency: 2, sessionTimeoutMs: 6_000, log: silentLog },
    {
      assigned: async (places) => fromTheBeginning(places),
      batch: async (fetched, claim) => resolveAll(fetched, claim),
      emptied: async () => undefined,
      crashed: () => undefined,
      settled: async () => undefined,
      ...work,
    },
  )
  return Object.assign(member, { group, [Symbol.asyncDispose]: () => member.stop() })
}

export function fromTheBeginning(places: readonly TopicPartition[]): (TopicPartition & { offset: string })[] {
  return places.map((place) => ({ ...place, offset: '0' }))
}

export function resolveAll(fetched: FetchedRecords, claim: Claim): void {
  using _heartbeats = claim
  claim.resolve(fetched.lastOffset)
}
