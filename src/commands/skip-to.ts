import { setFloor } from '../consumer/sql/set-floor.ts'
import { countBetween, isBefore, type Offset } from '../kafka/offset.ts'
import { confirm } from './confirm.ts'
import type { EntryOptions } from './entry.ts'
import { expectedOffset } from './expected-offset.ts'
import { type OpenedProgress, openProgress } from './open-progress.ts'
import { printJson, printMessage, printText } from './print.ts'
import { readOffset } from './read-place.ts'
import { UsageError } from './usage-error.ts'

/** Has a topic partition read from an offset on, and never below it. */
export async function skipTo(options: EntryOptions): Promise<number> {
  const floor = readOffset(options.args[2])
  await using opened = await openProgress(options)
  refuseUseless(opened, floor)
  const { database, place, name, row, marks } = opened
  const expected = expectedOffset(row, marks)
  const skipped = countBetween(expected, floor)
  const what =
    skipped === 0
      ? `lowering the floor of ${name} from ${row.floor} to ${floor}`
      : `skipping the offsets ${expected} up to ${floor} of ${name}, ${skipped} in number; they will take no effect`
  if (!(await confirm(what, options.yes))) {
    printMessage('nothing was skipped')
    return 1
  }
  await setFloor(database, place, floor)
  if (options.json) printJson({ floor, skippedFrom: skipped === 0 ? null : expected, skipped })
  else if (skipped === 0) printText(`the floor is ${floor}; where to read says the committed offset`)
  else {
    printText(`skips ${skipped} offsets; reads from ${floor} on: a running consumer obeys within a minute`)
  }
  return 0
}

function refuseUseless({ row, marks, name }: OpenedProgress, floor: Offset): void {
  if (isBefore(marks.high, floor)) {
    throw new UsageError(
      `skipping to ${floor} in ${name}: expected at most ${marks.high}, the end of the log`,
    )
  }
  const lowers = row.floor !== null && isBefore(floor, row.floor)
  if (lowers || isBefore(expectedOffset(row, marks), floor)) return
  throw new UsageError(
    `skipping to ${floor} in ${name}: it is at ${row.nextOffset} already. To read again, set the committed offset back ` +
      "with Kafka's own tools; markers absorb what was applied.",
  )
}
