import { setTimeout as delay } from 'node:timers/promises'
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs'
import type { Log } from '../process/log.ts'
import { type Claim, claimOf, commitOf } from './claim.ts'
import { connectKafka } from './kafka-client.ts'
import type { FetchedRecords, TopicPartition } from './kafka-record.ts'
import type { KafkaSettings } from './kafka-settings.ts'
import type { Offset } from './offset.ts'

/**
 * Membership in a consumer group, without its traps:
 *
 *   joining -> assigned (everything paused, nothing fetched) -> reading -> joining again | ended
 *
 * - On every assignment all partitions are paused in the listener itself, before anything can be fetched; they are
 *   read from where the owner says, once it has said so. kafkajs awaits no listener, and a fetch from a place that
 *   the broker no longer has would move the committed offset without a word.
 * - An assignment has a number. kafkajs sends its member's present generation with every commit, so the broker
 *   accepts commits for partitions that were taken away; whoever works under an older number must not commit.
 * - kafkajs gives up for good on some errors (a TypeError in its decoder, an unknown codec). Every end of it is
 *   treated alike: a new consumer takes its place, after a wait that grows to half a minute.
 */
export type GroupMember = {
  /** The number of the present assignment; null while there is none. */
  assignment(): number | null
  /** Fetches nothing more of these until they are read from somewhere. */
  pause(places: readonly TopicPartition[]): void
  /** Reads on from these places. Not while a batch of theirs is in hand: what it resolves would undo it. */
  readFrom(points: readonly StartingPoint[]): void
  /** Commits where to read next, outside of any batch; nothing where there is no present assignment. */
  commit(point: StartingPoint): Promise<void>
  /** Leaves the group once the batches in hand have ended. Never rejects. */
  stop(): Promise<void>
}

export type GroupOptions = {
  readonly kafka: KafkaSettings
  readonly group: string
  readonly topics: readonly string[]
  /** How many topic partitions are worked on at once. */
  readonly concurrency: number
  readonly sessionTimeoutMs: number
  readonly log: Log
}

export type StartingPoint = TopicPartition & { readonly offset: Offset }

/** What the owner of a membership does. None of these may reject but `batch`, with an error of the broker's. */
export type GroupWork = {
  /** New partitions, all paused: says where to read them. Asked anew for each assignment. */
  assigned(partitions: readonly TopicPartition[], isPresent: () => boolean): Promise<readonly StartingPoint[]>
  /**
   * Records to record. While it has not resolved, nothing more is fetched from the broker that they came from. The
   * claim is the owner's to dispose of, and may outlive the call, with its topic partition paused meanwhile.
   */
  batch(fetched: FetchedRecords, claim: Claim): Promise<void>
  /** Resolves once nothing is in hand under any claim. */
  settled(): Promise<void>
  /** A fetch that held no record for us (control records, aborted ones): only the place moves. */
  emptied(place: TopicPartition, lastOffset: Offset, commit: (offset: Offset) => Promise<void>): Promise<void>
  /** kafkajs gave up; a new membership begins after the wait. */
  crashed(error: Error, waitMs: number): void
}

const LONGEST_WAIT_MS = 30_000

/** Joins a group, and stays in it until stopped. Rejects where the first connection fails. */
export async function joinGroup(options: GroupOptions, work: GroupWork): Promise<GroupMember> {
  const kafka = connectKafka(options.kafka, options.log)
  const stopping = new AbortController()
  const state: State = { assignment: 0, present: false, leaving: false, failures: 0 }
  // Before the first start: a group's first join may end at once, while its coordinator is still loading.
  let rebuilding: Promise<void> = Promise.resolve()
  let consumer = await startConsumer(kafka, options, work, state, onEnd)

  function onEnd(error: Error): void {
    state.present = false
    if (stopping.signal.aborted) return
    const waitMs = Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** state.failures++)
    work.crashed(error, waitMs)
    rebuilding = rebuild(waitMs)
  }

  async function rebuild(waitMs: number): Promise<void> {
    try {
      await delay(waitMs, undefined, { signal: stopping.signal })
      consumer = await startConsumer(kafka, options, work, state, onEnd)
    } catch (error) {
      onEnd(error as Error)
    }
  }

  return {
    assignment: () => (state.present ? state.assignment : null),
    pause: (places) => whileRunning(() => consumer.pause(groupedByTopic(places))),
    readFrom: (points) => whileRunning(() => readFrom(consumer, points)),
    async commit(point) {
      if (state.present) await consumer.commitOffsets([point])
    },
    async stop() {
      stopping.abort()
      state.leaving = true
      await rebuilding
      // What is being recorded is finished and its offset committed under the assignment, which holds until then.
      await work.settled()
      // A broker that is away cannot be told that we leave; the session timeout tells it.
      await consumer.disconnect().catch(() => undefined)
      state.present = false
    },
  }
}

type State = { assignment: number; present: boolean; leaving: boolean; failures: number }

async function startConsumer(
  kafka: Kafka,
  options: GroupOptions,
  work: GroupWork,
  state: State,
  onEnd: (error: Error) => void,
): Promise<Consumer> {
  const consumer = kafka.consumer({
    groupId: options.group,
    sessionTimeout: options.sessionTimeoutMs,
    heartbeatInterval: Math.floor(options.sessionTimeoutMs / 5),
    allowAutoTopicCreation: false,
    // New partitions of a topic are found by this alone where the group does not rebalance; kafkajs takes five minutes.
    metadataMaxAge: 60_000,
    // What a topic partition waits after it is resumed, while an empty fetch of the others is under way; kafkajs also
    // sleeps so long when all are paused.
    maxWaitTimeInMs: 50,
    // Four times as much began 250 ms later, because nothing is applied before a whole answer is decoded, and held
    // 120 MB more, at the same rate (npm run bench).
    maxBytesPerPartition: 524_288,
    retry: { restartOnFailure: async () => false },
  })
  const reset = (): void => {
    state.present = false
  }
  consumer.on(consumer.events.REBALANCING, reset)
  consumer.on(consumer.events.STOP, reset)
  consumer.on(consumer.events.CRASH, ({ payload }) => onEnd(payload.error))
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    state.assignment += 1
    state.present = true
    state.failures = 0
    void begin(consumer, partitionsOf(payload.memberAssignment), work, state)
  })
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
    if (payload.batchSize > 0) return
    const { topic, partition, lastOffset } = payload
    const number = state.assignment
    void work.emptied({ topic, partition }, lastOffset, async (offset) => {
      if (state.present && state.assignment === number) {
        await consumer.commitOffsets([{ topic, partition, offset }])
      }
    })
  })
  try {
    await consumer.connect()
    await consumer.subscribe({ topics: [...options.topics], fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: options.concurrency,
      eachBatch: (payload) => work.batch(fetchedOf(payload), claimOn(consumer, payload, options, state)),
    })
  } catch (error) {
    await consumer.disconnect().catch(() => undefined)
    throw error
  }
  return consumer
}

/** Holds every partition of a new assignment until the owner has said where it is read from. */
async function begin(
  consumer: Consumer,
  partitions: readonly TopicPartition[],
  work: GroupWork,
  state: State,
): Promise<void> {
  const number = state.assignment
  const isPresent = (): boolean => state.present && state.assignment === number
  consumer.pause(groupedByTopic(partitions))
  const points = await work.assigned(partitions, isPresent)
  if (isPresent()) whileRunning(() => readFrom(consumer, points))
}

/** kafkajs throws where its consumer has just ended; then there is nothing to pause or to go on with. */
function whileRunning(call: () => void): void {
  try {
    call()
  } catch (error) {
    if ((error as Error).name !== 'KafkaJSNonRetriableError') throw error
  }
}

function readFrom(consumer: Consumer, points: readonly StartingPoint[]): void {
  for (const { topic, partition, offset } of points) consumer.seek({ topic, partition, offset })
  consumer.resume(groupedByTopic(points))
}

function claimOn(consumer: Consumer, payload: EachBatchPayload, options: GroupOptions, state: State): Claim {
  const number = state.assignment
  const { topic, partition } = payload.batch
  return claimOf(payload, {
    isPresent: () => state.present && state.assignment === number,
    isLeaving: () => state.leaving,
    heartbeatMs: Math.floor(options.sessionTimeoutMs / 6),
    resume: () => whileRunning(() => consumer.resume([{ topic, partitions: [partition] }])),
    commit: commitOf(payload),
  })
}

function fetchedOf({ batch }: EachBatchPayload): FetchedRecords {
  return {
    topic: batch.topic,
    partition: batch.partition,
    records: batch.messages,
    lastOffset: batch.lastOffset(),
    highWatermark: batch.highWatermark,
  }
}

function partitionsOf(assignment: Readonly<Record<string, number[]>>): TopicPartition[] {
  return Object.entries(assignment).flatMap(([topic, partitions]) =>
    partitions.map((partition) => ({ topic, partition })),
  )
}

function groupedByTopic(places: readonly TopicPartition[]): { topic: string; partitions: number[] }[] {
  const byTopic = Map.groupBy(places, ({ topic }) => topic)
  return [...byTopic].map(([topic, own]) => ({ topic, partitions: own.map(({ partition }) => partition) }))
}
