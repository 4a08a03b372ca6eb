import type { Claim } from '../kafka/claim.ts'
import type { GroupMember } from '../kafka/consumer-group.ts'
import type { Offset } from '../kafka/offset.ts'
import type { ConsumerParts } from './consumer-parts.ts'
import type { Reading } from './reading.ts'

/** Tells Kafka that a batch has been recorded. A failure is harmless: the next commit says it too. */
export async function commitOffset(
  { clock, observer, log }: ConsumerParts,
  reading: Reading,
  nextOffset: Offset,
  claim: Claim,
): Promise<void> {
  const { topic, partition } = reading
  const committedAt = clock()
  try {
    if ((await claim.commit(nextOffset)) !== 'committed') return
    reading.isUncommitted = false
    observer.offsetCommitted({ topic, partition, lagMs: clock() - committedAt })
  } catch (error) {
    reading.isUncommitted = true
    log.warn({ topic, partition, offset: nextOffset, err: error }, 'an offset could not be committed')
  }
}

/**
 * Says it again for a topic partition whose last commit failed and which has been idle since: nobody else would, and
 * the broker would show a lag for ever.
 */
export async function commitAgain(
  { log }: ConsumerParts,
  reading: Reading,
  member: Pick<GroupMember, 'commit'> | null,
): Promise<void> {
  if (!reading.isUncommitted || member === null) return
  const { topic, partition, seenOffset } = reading
  try {
    await member.commit({ topic, partition, offset: seenOffset })
    reading.isUncommitted = false
  } catch (error) {
    log.warn({ topic, partition, offset: seenOffset, err: error }, 'an offset could not be committed')
  }
}
