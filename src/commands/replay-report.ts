import type { DeadLetterLine } from '../consumer/dead-letter.ts'
import type { Replayed } from '../consumer/replay-dead-letter.ts'
import { escapedText } from './escaped-text.ts'
import { printJson, printMessage, printText } from './print.ts'

/** What became of a dead letter, or would become of it. */
export type ReportedReplay =
  | Replayed
  | { readonly outcome: 'would-be-replayed' | 'would-be-applied-unmarked' }

/** Tells of each dead letter as it is done, because a replay may take long; as JSON, of all at the end. */
export class ReplayReport {
  readonly #json: boolean
  readonly #replays: Record<string, unknown>[] = []
  readonly #counts = new Map<ReportedReplay['outcome'], number>()

  constructor(json: boolean) {
    this.#json = json
  }

  add(letter: DeadLetterLine, replayed: ReportedReplay): void {
    const { id, topic, partition, offset, eventId, reason } = letter
    const error = 'error' in replayed ? replayed.error : null
    this.#counts.set(replayed.outcome, (this.#counts.get(replayed.outcome) ?? 0) + 1)
    if (this.#json) {
      this.#replays.push({
        id,
        topic,
        partition,
        offset,
        eventId,
        reason,
        outcome: replayed.outcome,
        error,
      })
      return
    }
    const place = `${escapedText(topic)}[${partition}]@${offset}`
    const why = error === null ? '' : `: ${escapedText(error)}`
    printText(`${id}  ${place}  ${reason}  ${replayed.outcome}${why}`)
  }

  /** An id that is none of this group's. */
  addMissing(id: string): void {
    this.#counts.set('missing', (this.#counts.get('missing') ?? 0) + 1)
    if (this.#json) this.#replays.push({ id, outcome: 'missing', error: null })
    else printText(`${id}  missing: this group has no such dead letter`)
  }

  /** Sums up, and returns the exit code: 1 where one waits on, or is not there. */
  end(): number {
    const counts = Object.fromEntries(this.#counts)
    if (this.#json) printJson({ replays: this.#replays, counts })
    else if (this.#counts.size === 0) printText('none waits')
    else printMessage([...this.#counts].map(([outcome, count]) => `${count} ${outcome}`).join(', '))
    return ['kept', 'asked', 'missing'].some((outcome) => outcome in counts) ? 1 : 0
  }
}
