import { acceptLoss } from '../consumer/sql/accept-loss.ts'
import { deleteProducerSequences } from '../consumer/sql/delete-producer-sequences.ts'
import { isBefore } from '../kafka/offset.ts'
import { confirm } from './confirm.ts'
import type { EntryOptions } from './entry.ts'
import { expectedOffset } from './expected-offset.ts'
import { openProgress } from './open-progress.ts'
import { printJson, printMessage, printText } from './print.ts'

/** Goes on behind records that the broker deleted unread. They are counted, exactly; nothing brings them back. */
export async function acceptLostRecords(options: EntryOptions): Promise<number> {
  await using opened = await openProgress(options)
  const { database, place, name, row, marks } = opened
  const expected = expectedOffset(row, marks)
  if (!isBefore(expected, marks.low)) return answer(options, opened.marks.low, null)
  const range = `the offsets ${expected} up to ${marks.low}, ${BigInt(marks.low) - BigInt(expected)} in number`
  if (!(await confirm(`accepting as lost what ${name} has not read: ${range}`, options.yes))) {
    printMessage('nothing was accepted')
    return 1
  }
  // In the producers' own numbering they are missing as well, and would be counted a second time. First, because
  // nothing is read before the loss is accepted.
  await deleteProducerSequences(database, place)
  return answer(options, marks.low, await acceptLoss(database, place, marks.low, marks.high))
}

function answer(
  { json }: EntryOptions,
  low: string,
  accepted: { readonly expected: string; readonly lost: string } | null,
): number {
  if (json) printJson({ lost: accepted?.lost ?? '0', from: accepted?.expected ?? null, nextOffset: low })
  else if (accepted === null) printText(`nothing is lost: the broker holds everything from ${low} on`)
  else printText(`lost ${accepted.lost}: offsets ${accepted.expected} up to ${low}; goes on at ${low}`)
  return 0
}
