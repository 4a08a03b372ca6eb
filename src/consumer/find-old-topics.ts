import type { ConsumerParts } from './consumer-parts.ts'
import type { Reading } from './reading.ts'

/**
 * Finds topics that were deleted and made anew under us. Fetches go on in the new one from the old place, without a
 * word where it is long enough, so what it holds before that place would never be read. Nothing is known while the
 * broker does not answer: it is asked again in a minute. Never rejects.
 */
export async function findOldTopics(
  { admin, log }: Pick<ConsumerParts, 'admin' | 'log'>,
  readings: readonly Reading[],
): Promise<void> {
  for (const [topic, own] of Map.groupBy(readings, (reading) => reading.topic)) {
    const topicId = await admin.fetchTopicId(topic).catch((err) => {
      log.debug({ topic, err }, 'whether a topic was made anew could not be found out')
      return null
    })
    if (topicId === null) continue
    for (const reading of own) {
      // One that was not known yet, because the broker gave no ids then, is noted at the next look.
      if (reading.topicId !== null && reading.topicId !== topicId) reading.isOfOldTopic = true
    }
  }
}
