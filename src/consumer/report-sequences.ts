import type { TopicPartition } from '../kafka/kafka-record.ts'
import type { ConsumerParts } from './consumer-parts.ts'
import type { SequenceFinding } from './sequence-gaps.ts'

/** Tells metrics and log what the numbering of the producers showed in a batch that has been committed. */
export function reportSequences(
  { observer, log }: Pick<ConsumerParts, 'observer' | 'log'>,
  { topic, partition }: TopicPartition,
  findings: readonly SequenceFinding[],
): void {
  for (const finding of findings) {
    const fields = { topic, partition, ...finding }
    if (finding.kind === 'repeat') log.debug(fields, 'a producer repeats a number')
    else if (finding.kind === 'restart') log.info(fields, 'a producer was started anew')
    else {
      observer.recordsLost({ topic, partition, count: finding.lost })
      log.error(fields, 'events are missing in the numbering of their producer')
    }
  }
}
