import { addDays, type Day, dayOf } from '../../../src/calendar/period.ts'

const OVERLAP_MS = 15 * 60_000
const RUNWAY_DAYS = 7
/** A day is closed when it ended so long ago. */
const RETENTION_DAYS = 2

/** A record of the model's log. The value stands for what is in it; another value under the same id is another event. */
export type ModelRecord = {
  readonly id: string
  readonly partition: number
  readonly timestampMs: number
  readonly value: number
}

type Place = { readonly partition: number; readonly offset: number }

/**
 * What daymark is to do, said in a few lines and one record after the other: without batches, transactions, members or
 * faults. A record is applied unless its day is closed or one of its days holds a marker of its id.
 */
export class Oracle {
  readonly logs: ModelRecord[][]
  /** The ids of the effects, one for each time. */
  readonly applied: string[] = []
  /** The reason by `partition@offset`: a record is a dead letter once, however often it is delivered. */
  readonly dead = new Map<string, string>()
  /**
   * Ids of which a duplicate found one of its two days free. A batch folds a later copy that meets it there into it; a
   * reader without batches takes that copy for new. Both are right, so that of these only the loss would be wrong.
   */
  readonly loose = new Set<string>()
  readonly #markers = new Map<string, Place & { readonly value: number }>()
  /** The next offset of each topic partition. */
  readonly #next: number[]
  #today: Day

  constructor(partitions: number, today: Day) {
    this.logs = Array.from({ length: partitions }, () => [])
    this.#next = this.logs.map(() => 0)
    this.#today = today
  }

  get today(): Day {
    return this.#today
  }

  passDay(): void {
    this.#today = addDays(this.#today, 1)
  }

  rewind(partition: number, offset: number): void {
    this.#next[partition] = offset
  }

  /** Everything that lies in the logs is delivered, from where the group stands. */
  deliverAll(): void {
    for (const [partition, log] of this.logs.entries()) {
      for (let offset = this.#next[partition] ?? 0; offset < log.length; offset++) {
        const record = log[offset]
        if (record !== undefined) this.#deliver(record, { partition, offset })
      }
      this.#next[partition] = log.length
    }
  }

  #deliver({ id, timestampMs, value }: ModelRecord, place: Place): void {
    const [day, neighbour] = [0, -OVERLAP_MS, OVERLAP_MS]
      .map((by) => dayOf(timestampMs + by) ?? '')
      .filter((each, index, all) => all.indexOf(each) === index)
    if (day === undefined) throw new Error('expected an instant to have a day')
    if (!this.#isOpen(day)) {
      this.#refuse(place, this.#isFenced(day) ? 'expired' : 'future')
      return
    }
    const keys = [day, ...(neighbour !== undefined && this.#isOpen(neighbour) ? [neighbour] : [])].map(
      (each) => `${id} ${each}`,
    )
    const first = keys.map((key) => this.#markers.get(key)).find((marker) => marker !== undefined)
    if (first === undefined) {
      this.applied.push(id)
      for (const key of keys) this.#markers.set(key, { ...place, value })
      return
    }
    if (keys.some((key) => !this.#markers.has(key))) this.loose.add(id)
    if (first.value !== value) this.#refuse(place, 'id-reused')
  }

  #refuse({ partition, offset }: Place, reason: string): void {
    const key = `${partition}@${offset}`
    if (!this.dead.has(key)) this.dead.set(key, reason)
  }

  #isFenced(day: Day): boolean {
    return day <= addDays(this.#today, -1 - RETENTION_DAYS)
  }

  #isOpen(day: Day): boolean {
    return !this.#isFenced(day) && day <= addDays(this.#today, RUNWAY_DAYS)
  }
}
