import type { Offset } from '../kafka/offset.ts'
import type { Sequence } from '../kafka/sequence-header.ts'

/** A record that says where it stands in its producer's numbering. */
export type NumberedRecord = { readonly offset: Offset; readonly sequence: Sequence }

/** What the numbering of a producer shows at a record. */
export type SequenceFinding = {
  readonly producer: string
  readonly session: number
  readonly number: number
  readonly offset: Offset
} & (
  | /** Events between the last one and this one are missing: so many. */ {
      readonly kind: 'gap'
      readonly lost: number
    }
  | /** A number that was seen before: sent twice, or read twice. */ { readonly kind: 'repeat' }
  | /** The producer was started anew. What its last session may have lost at its end, nobody can see. */ {
      readonly kind: 'restart'
    }
)

/** Where a producer is now, and how many more of its events are missing. */
export type FollowedProducer = Sequence & { readonly lost: number }

/**
 * Follows the producers of one topic partition through its records, in their order. `known` is where each was before;
 * one that is not known is followed from its first record on, because nobody can tell what came before that. Pure.
 */
export function followProducers(
  known: readonly Sequence[],
  records: readonly NumberedRecord[],
): { readonly followed: readonly FollowedProducer[]; readonly findings: readonly SequenceFinding[] } {
  const last = new Map<string, Sequence>(known.map((sequence) => [sequence.producer, sequence]))
  const followed = new Map<string, FollowedProducer>()
  const findings: SequenceFinding[] = []
  for (const { offset, sequence } of records) {
    const before = last.get(sequence.producer)
    const at = { ...sequence, offset }
    if (before !== undefined && isRepeat(before, sequence)) {
      findings.push({ kind: 'repeat', ...at })
      continue
    }
    const isRestart = before !== undefined && sequence.session > before.session
    if (isRestart) findings.push({ kind: 'restart', ...at })
    const lost = before === undefined ? 0 : sequence.number - (isRestart ? 0 : before.number) - 1
    if (lost > 0) findings.push({ kind: 'gap', lost, ...at })
    last.set(sequence.producer, sequence)
    const lostBefore = followed.get(sequence.producer)?.lost ?? 0
    followed.set(sequence.producer, { ...sequence, lost: lostBefore + lost })
  }
  return { followed: [...followed.values()], findings }
}

/** Also what an older session wrote: it was read before, or it comes late. Neither is missing. */
function isRepeat(before: Sequence, { session, number }: Sequence): boolean {
  return session < before.session || (session === before.session && number <= before.number)
}
