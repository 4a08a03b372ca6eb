import { setTimeout as delay } from 'node:timers/promises'
import type { Claim } from '../kafka/claim.ts'
import type { GroupMember, StartingPoint } from '../kafka/consumer-group.ts'
import { type FetchedRecords, keyOf, type TopicPartition } from '../kafka/kafka-record.ts'
import { isBefore, type Offset } from '../kafka/offset.ts'
import { type Beginning, beginReading } from './begin-reading.ts'
import { commitAgain } from './commit-offset.ts'
import type { ConsumerParts } from './consumer-parts.ts'
import { endsWithin } from './ends-within.ts'
import { findOldTopics } from './find-old-topics.ts'
import type { WaitReason } from './next-attempt.ts'
import { passOver } from './pass-over.ts'
import { newReading, type Reading } from './reading.ts'
import { findProgress } from './sql/find-progress.ts'
import { takeFetched } from './take-fetched.ts'
import { adviceFor, waitMsOf } from './waiting.ts'

/**
 * How long the other topic partitions of a fetch wait for one of them. With a second, 12 % of the time no batch was in
 * flight, and 44 % all four; with this, 1 and 48 % (npm run bench).
 */
const ASIDE_AFTER_MS = 50

/**
 * Reads the topic partitions of one member:
 *
 *   assigned -> reading <-> waiting (a timer, or a change, brings it back) -> taken away (its timers find out)
 */
export class Reader {
  readonly #parts: ConsumerParts
  readonly #readings = new Map<string, Reading>()
  readonly #inHand = new Set<Promise<unknown>>()
  #member: GroupMember | null = null

  constructor(parts: ConsumerParts) {
    this.#parts = parts
  }

  /** The membership, once there is one: assignments may come before it is known. */
  set member(member: GroupMember) {
    this.#member = member
  }

  get readings(): readonly Reading[] {
    return [...this.#readings.values()]
  }

  /** Says where a new assignment is read from. Looks until database and broker answer, or it is taken away again. */
  async assigned(places: readonly TopicPartition[], isPresent: () => boolean): Promise<StartingPoint[]> {
    this.#readings.clear()
    this.#parts.observer.assigned(places)
    const beginnings = await this.#lookUntilKnown(places, isPresent, false)
    if (!isPresent()) return []
    return beginnings.filter((beginning) => this.#enter(beginning))
  }

  /**
   * Takes what a fetch brought. What is not done soon goes on aside, with its topic partition paused: kafkajs fetches
   * nothing from a broker until all that it brought has been worked on, so one slow partition would slow down all.
   */
  async batch(fetched: FetchedRecords, claim: Claim): Promise<void> {
    const reading = this.#readings.get(keyOf(fetched))
    if (reading === undefined || !claim.isHeld()) {
      claim.pause()
      claim[Symbol.dispose]()
      return
    }
    if (claim.isStale()) {
      // They waited for another partition meanwhile. What comes next is fetched next; nothing before it is skipped.
      claim[Symbol.dispose]()
      return
    }
    const work = this.#take(reading, fetched, claim)
    if (await endsWithin(work, ASIDE_AFTER_MS)) return
    claim.pause()
    void work.then(
      (goesOn) => {
        if (goesOn && this.#isCurrent(reading)) claim.resume()
      },
      // Nobody waits for it any more; as an unhandled rejection it would end the process.
      (error) => this.wait(reading, claim, 'broken-handler-or-schema', error),
    )
  }

  /** Resolves once nothing is in hand, aside or not. */
  async settled(): Promise<void> {
    while (this.#inHand.size > 0) await Promise.allSettled(this.#inHand)
  }

  wait(reading: Reading, claim: Claim, reason: WaitReason, error: unknown): void {
    claim.pause()
    const waitMs = this.#say(reading, reason, error)
    const resume = (): void => {
      if (this.#isCurrent(reading)) claim.resume()
    }
    setTimeout(resume, waitMs).unref()
  }

  readAgain(reading: Reading, claim: Claim, why: string): void {
    const { topic, partition } = reading
    this.#parts.log.warn(
      { topic, partition, expected: reading.seenOffset, why },
      'a topic partition is read again',
    )
    claim.pause()
    void this.lookAgain(reading)
  }

  async hasLost({ topic, partition, seenOffset }: Reading): Promise<boolean> {
    const marks = await this.#parts.admin.fetchMarks(topic).catch(() => null)
    const low = marks?.find((mark) => mark.partition === partition)?.low
    return low !== undefined && isBefore(seenOffset, low)
  }

  /** Looks where a paused topic partition is to be read from, and reads on from there. */
  async lookAgain(reading: Reading): Promise<void> {
    const isCurrent = (): boolean => this.#isCurrent(reading)
    const [beginning] = await this.#lookUntilKnown([reading], isCurrent, true)
    if (beginning === undefined || !isCurrent()) return
    if (this.#enter(beginning)) this.#member?.readFrom([beginning])
  }

  /**
   * Compares what was seen committed with the database. A batch does the same in its transaction; a topic partition
   * that is idle would never find out that the database was restored from a backup. And compares the topics with those
   * of the broker: one that was made anew looks like the old one to whoever reads on.
   */
  async lookBehind(): Promise<void> {
    const { database, settings, log } = this.#parts
    await findOldTopics(this.#parts, this.readings)
    // Before the database is asked: what is committed meanwhile may be missing from its answer.
    const before = this.readings.map((reading) => ({ reading, seenOffset: reading.seenOffset }))
    const progress = new Map((await findProgress(database, settings.group)).map((row) => [keyOf(row), row]))
    for (const { reading, seenOffset } of before) {
      const { nextOffset, floor = null } = progress.get(keyOf(reading)) ?? {}
      reading.floor = floor
      if (reading.inHand > 0 || reading.waitingFor !== null || !this.#isCurrent(reading)) continue
      const isBehind = nextOffset === undefined || isBefore(nextOffset, seenOffset)
      if (!isBehind && !reading.isOfOldTopic) {
        await commitAgain(this.#parts, reading, this.#member)
        continue
      }
      const { topic, partition } = reading
      if (isBehind) {
        log.error(
          { topic, partition, seen: seenOffset, found: nextOffset },
          'the database has forgotten commits',
        )
      }
      this.#member?.pause([reading])
      await this.lookAgain(reading)
    }
  }

  /** A fetch brought nothing for us: its control records and aborted ones have to be passed all the same. */
  async emptied(
    place: TopicPartition,
    lastOffset: Offset,
    commit: (offset: Offset) => Promise<void>,
  ): Promise<void> {
    const reading = this.#readings.get(keyOf(place))
    if (reading === undefined) return
    const work = passOver(this.#parts, reading, lastOffset, commit)
    this.#inHand.add(work)
    const outcome = await work
    this.#inHand.delete(work)
    if (outcome !== 'forgotten') return
    this.#member?.pause([reading])
    await this.lookAgain(reading)
  }

  /** Takes a beginning on; false where lost records hold it. */
  #enter(beginning: Beginning): boolean {
    const { log, clock, observer } = this.#parts
    const { topic, partition, offset, lost, newlyLost, held } = beginning
    const known = this.#readings.get(keyOf(beginning))
    const reading = newReading(beginning, beginning.progress, clock())
    reading.highWatermark = beginning.high
    reading.topicId = beginning.topicId
    reading.recent = known?.recent ?? []
    reading.waits = known?.waits ?? 0
    reading.waitingFor = known?.waitingFor ?? null
    this.#readings.set(keyOf(beginning), reading)
    if (newlyLost > 0) observer.recordsLost({ topic, partition, count: newlyLost })
    if (lost > 0 && !held)
      log.error({ topic, partition, offset, lost }, 'records were deleted before they were read')
    if (!held) return true
    const waitMs = this.#say(reading, 'lost-records', `${lost} records before offset ${offset} are gone`)
    setTimeout(() => this.#isCurrent(reading) && void this.lookAgain(reading), waitMs).unref()
    return false
  }

  #say(reading: Reading, reason: WaitReason | 'lost-records', error: unknown): number {
    const { topic, partition, seenOffset: offset } = reading
    const { log, observer, requestRun, settings } = this.#parts
    reading.waitingFor = reason
    reading.waits += 1
    const waitMs = waitMsOf(reading.waits, settings.retryWaitMs)
    observer.waiting({ topic, partition, reason })
    log.error(
      { topic, partition, offset, reason, wait_ms: waitMs, err: error, advice: adviceFor(reason) },
      'a topic partition waits',
    )
    if (reason === 'missing-partition') {
      requestRun(reason).catch((err) => log.warn({ err }, 'a maintenance run could not be requested'))
    }
    return waitMs
  }

  async #lookUntilKnown(
    places: readonly TopicPartition[],
    isPresent: () => boolean,
    hadProgress: boolean,
  ): Promise<Beginning[]> {
    const { log, giveUp, settings } = this.#parts
    for (let tries = 1; isPresent() && !giveUp.aborted; tries++) {
      try {
        return await beginReading(this.#parts, places, isPresent, hadProgress)
      } catch (error) {
        log.error({ tries, err: error }, 'where to read from could not be found out and is looked at again')
        await delay(waitMsOf(tries, settings.retryWaitMs), undefined, { signal: giveUp }).catch(
          () => undefined,
        )
      }
    }
    return []
  }

  async #take(reading: Reading, fetched: FetchedRecords, claim: Claim): Promise<boolean> {
    const work = takeFetched(this.#parts, this, reading, fetched, claim)
    reading.inHand += 1
    this.#inHand.add(work)
    try {
      return await work
    } finally {
      reading.inHand -= 1
      this.#inHand.delete(work)
      claim[Symbol.dispose]()
    }
  }

  #isCurrent(reading: Reading): boolean {
    return this.#member?.assignment() !== null && this.#readings.get(keyOf(reading)) === reading
  }
}
