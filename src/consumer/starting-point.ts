import { countBetween, higherOf, isBefore, lowerOf, type Offset } from '../kafka/offset.ts'

/** What is known of a topic partition when it is assigned. */
export type Standing = {
  /** The row of this group in the database; null where it has none. */
  readonly progress: { readonly nextOffset: Offset; readonly floor: Offset | null } | null
  /** What the group has committed at the broker; null where that is nothing, or has expired. */
  readonly committed: Offset | null
  readonly low: Offset
  readonly high: Offset
  readonly startFrom: 'earliest' | 'latest'
}

/** Where to read, and what becomes of the progress row. */
export type Start = {
  readonly offset: Offset
  /** The row as it should be; null where it is right as it stands. */
  readonly progress: Offset | null
  /** How many records the broker deleted before they were read. */
  readonly lost: number
}

/**
 * Where reading starts. The database is the truth, and the broker's offset can only ask for more:
 *
 * - both known: the lower. A rewind by hand is obeyed; a database that was restored, or failed over to a replica that
 *   lagged, reads again what it forgot.
 * - progress only: the low mark. The offset expired or the topic was made anew; these cannot be told apart, and
 *   markers absorb the repeats.
 * - the offset only: there. The group existed before daymark.
 * - neither: the earliest record, or the end, as configured.
 */
export function startingPoint(standing: Standing): Start {
  const { progress, committed, low, high } = standing
  // A floor beyond the end is one of a topic that has been made anew.
  const floor = progress?.floor == null || isBefore(high, progress.floor) ? '0' : progress.floor
  const expected = progress === null ? committed : higherOf(progress.nextOffset, floor)
  const lost = expected === null ? 0 : countBetween(expected, low)
  const wanted = higherOf(wantedOf(standing), floor)
  const offset = isBefore(high, wanted) ? low : higherOf(wanted, low)
  const isRight =
    progress !== null &&
    committed !== null &&
    lost === 0 &&
    !isBefore(high, progress.nextOffset) &&
    !isBefore(progress.nextOffset, floor)
  return { offset, progress: isRight ? null : offset, lost }
}

function wantedOf({ progress, committed, low, high, startFrom }: Standing): Offset {
  if (progress !== null && committed !== null) return lowerOf(progress.nextOffset, committed)
  if (progress !== null) return low
  if (committed !== null) return committed
  return startFrom === 'earliest' ? low : high
}
