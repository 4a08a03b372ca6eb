import type { DeadLetterFilter, DeadLetterLine } from '../consumer/dead-letter.ts'
import { listDeadLetters } from '../consumer/sql/list-dead-letters.ts'
import type { Queryable } from '../postgres/queryable.ts'

const PAGE = 1_000

/** The dead letters of a filter page by page, each topic partition in the order of its log. */
export async function* deadLetterPages(
  db: Queryable,
  filter: DeadLetterFilter,
): AsyncGenerator<DeadLetterLine[]> {
  let last: DeadLetterLine | undefined
  for (;;) {
    const page = await listDeadLetters(db, filter, last ?? null, PAGE)
    last = page.at(-1)
    if (last === undefined) return
    yield page
  }
}
