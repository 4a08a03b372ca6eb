import type { Queryable } from '../../postgres/queryable.ts'
import type { ReplayOutcome } from '../dead-letter.ts'

/** Settles a dead letter in the transaction of its effect, with the identity under which it was replayed. */
export async function stampDeadLetter(
  tx: Queryable,
  stamp: {
    readonly id: string
    readonly outcome: ReplayOutcome
    readonly eventId: string
    readonly markerDay: string | null
    readonly overlapDay: string | null
  },
): Promise<void> {
  await tx.query(
    `update daymark.dead_letters
        set replayed_at = now(),
            replay_outcome = $2::text,
            event_id = $3::text,
            marker_day = $4::date,
            overlap_day = $5::date
      where id = $1::bigint`,
    [stamp.id, stamp.outcome, stamp.eventId, stamp.markerDay, stamp.overlapDay],
  )
}
