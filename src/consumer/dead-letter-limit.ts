/** New events of one batch, and how many of them failed. */
export type FailureShare = { readonly fresh: number; readonly failed: number }

/** How many of a topic partition's last events are looked back upon. */
const LOOK_BACK_EVENTS = 1_000
/** So few failures are events' own, however quiet the topic is. */
const FEW = 3

/**
 * Whether failures are more than events of their own could be. A batch of several in which every one failed says that
 * the handler is broken; so does a share above the limit among the last events, which also protects a quiet topic.
 */
export function exceedsDeadLetterLimit(
  recent: readonly FailureShare[],
  batch: FailureShare,
  limit: number,
): boolean {
  if (batch.failed === 0) return false
  if (batch.fresh > FEW && batch.failed === batch.fresh) return true
  const failed = recent.reduce((sum, share) => sum + share.failed, batch.failed)
  const fresh = recent.reduce((sum, share) => sum + share.fresh, batch.fresh)
  return failed > FEW && failed > limit * fresh
}

/** The last batches with this one, as many as hold the events that are looked back upon. */
export function withBatch(recent: readonly FailureShare[], batch: FailureShare): FailureShare[] {
  const next = batch.fresh === 0 ? [...recent] : [...recent, batch]
  let events = next.reduce((sum, { fresh }) => sum + fresh, 0)
  while (next.length > 1 && events - (next[0]?.fresh ?? 0) >= LOOK_BACK_EVENTS) {
    events -= next.shift()?.fresh ?? 0
  }
  return next
}
