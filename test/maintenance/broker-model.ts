import { type Day, dayOf, endOfDay } from '../../src/calendar/period.ts'
import type { TopicEvidence } from '../../src/maintenance/evidence.ts'
import { DAY_MS, topicOf } from './table-view-of.ts'

type ModelRecord = { readonly offset: number; readonly timestampMs: number }

/**
 * A topic of one partition as a broker keeps it: offsets only grow, timestamps are the producer's and may be out of order,
 * and records go from the head alone, segment by segment, once the youngest of a segment is past `retention.ms`.
 */
export class BrokerModel {
  readonly #retentionMs: number
  readonly #segmentRecords: number
  readonly #records: ModelRecord[] = []
  readonly #marks = new Map<Day, number>()
  #high = 0

  constructor(retentionMs: number, segmentRecords: number) {
    this.#retentionMs = retentionMs
    this.#segmentRecords = segmentRecords
  }

  append(timestampMs: number): void {
    this.#records.push({ offset: this.#high, timestampMs })
    this.#high += 1
  }

  /** What a broker does every few minutes. The segment that is being written stays. */
  deleteOld(nowMs: number): void {
    while (this.#records.length > this.#segmentRecords) {
      const segment = this.#records.slice(0, this.#segmentRecords)
      if (Math.max(...segment.map(({ timestampMs }) => timestampMs)) > nowMs - this.#retentionMs) return
      this.#records.splice(0, this.#segmentRecords)
    }
  }

  /**
   * Whether it could deliver a record of that day that was there when the first run after the day's end looked. One that
   * is published later is beyond `maxPublishDelay`; and where no run looked in time, only the head of the log is known.
   */
  holds(day: Day): boolean {
    const mark = this.#marks.get(day) ?? 0
    return this.#records.some(({ offset, timestampMs }) => offset < mark && dayOf(timestampMs) === day)
  }

  /** What a run learns from it, and the high mark that the first run after a day's end notes. */
  evidence(nowMs: number, days: readonly Day[]): TopicEvidence {
    const ended = dayOf(nowMs - DAY_MS) ?? ''
    if (!this.#marks.has(ended)) this.#marks.set(ended, this.#high)
    return topicOf({
      settings: { topic: 'payments', retentionMs: this.#retentionMs, cleanupPolicy: 'delete' },
      low: String(this.#records[0]?.offset ?? this.#high),
      high: String(this.#high),
      marks: [...this.#marks].map(([day, mark]) => [day, String(mark)]),
      atEnd: days.map((day) => [day, String(this.#offsetAt(endOfDay(day)))]),
    })
  }

  /** The first offset whose timestamp is not before an instant, as ListOffsets answers it. */
  #offsetAt(instantMs: number): number {
    return this.#records.find(({ timestampMs }) => timestampMs >= instantMs)?.offset ?? this.#high
  }
}
