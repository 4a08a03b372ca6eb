import type { ProgressRow } from '../consumer/sql/find-progress.ts'
import type { Marks } from '../kafka/kafka-admin.ts'
import { higherOf, isBefore, type Offset } from '../kafka/offset.ts'

/** The next offset that a group wants; a floor beyond the end is one of a topic that has been made anew. */
export function expectedOffset({ nextOffset, floor }: ProgressRow, { high }: Marks): Offset {
  return floor === null || isBefore(high, floor) ? nextOffset : higherOf(nextOffset, floor)
}
