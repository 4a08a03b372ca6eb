import type { Entry } from './entry.ts'

const YES = { '--yes': 'without asking' }
const JSON_TOO = { '--json': 'as JSON' }

/** The commands about where a group is. */
export const PROGRESS_ENTRIES: readonly Entry[] = [
  {
    name: 'progress show',
    meaning: 'show where each group is in each topic partition',
    example: 'daymark progress show --group ledger-writer',
    switches: JSON_TOO,
    flagsOf: ['grouping'],
    run: async (options) => (await import('./show-progress.ts')).showProgress(options),
  },
  {
    name: 'progress accept-loss',
    meaning: 'go on behind records that the broker deleted before they were read',
    example: 'daymark progress accept-loss payments 3',
    args: '<topic> <partition>',
    switches: { ...YES, ...JSON_TOO },
    remarks: 'A consumer that waits for it goes on by itself when it looks again, within consumer.retryWait.',
    flagsOf: ['grouping'],
    run: async (options) => (await import('./accept-loss.ts')).acceptLostRecords(options),
  },
  {
    name: 'progress skip-to',
    meaning: 'read nothing below an offset',
    example: 'daymark progress skip-to payments 3 1200345',
    args: '<topic> <partition> <offset>',
    switches: { ...YES, ...JSON_TOO },
    remarks: `What lies between is not read and takes no effect. A running consumer obeys within a minute, before its next
batch of that topic partition; one that starts, at once. To read again what was skipped, lower the offset, and set the
group's committed offset back with Kafka's own tools while no member runs.`,
    flagsOf: ['grouping'],
    run: async (options) => (await import('./skip-to.ts')).skipTo(options),
  },
  {
    name: 'progress forget',
    meaning: 'forget a topic that is gone from the broker, so that it holds back no day',
    example: 'daymark progress forget payments-old --yes',
    args: '<topic>',
    switches: { ...YES, ...JSON_TOO },
    run: async (options) => (await import('./forget-topic.ts')).forgetTopic(options),
  },
]
