import type { Entry } from './entry.ts'

const REASON = { '--reason <reasons>': 'only those of these reasons, such as handler,undecodable' }
const SINCE = { '--since <time>': "only those set aside since: a day, an instant, or '2 hours'" }

/** The commands about events that were set aside. */
export const DEAD_LETTER_ENTRIES: readonly Entry[] = [
  {
    name: 'dead-letters list',
    meaning: 'list the events that were set aside and wait',
    example: `daymark dead-letters list --reason handler --since '2 hours'`,
    switches: {
      ...REASON,
      ...SINCE,
      '--all': 'also those that have been replayed or discarded',
      '--limit <count>': 'at most so many; 100 by default',
      '--json': 'as JSON',
    },
    flagsOf: ['grouping'],
    run: async (options) => (await import('./list-dead-letters.ts')).showDeadLetters(options),
  },
  {
    name: 'dead-letters show',
    meaning: 'show one with its whole record',
    example: 'daymark dead-letters show 17',
    args: '<id>',
    switches: { '--json': 'as JSON: key, value and headers as base64' },
    run: async (options) => (await import('./show-dead-letter.ts')).showDeadLetter(options),
  },
  {
    name: 'dead-letters replay',
    meaning: 'apply the effects of some, through the configured handler',
    example: 'daymark dead-letters replay --reason handler --dry-run',
    args: '[ids...]',
    switches: {
      '--all': 'all that wait',
      ...REASON,
      ...SINCE,
      '--dry-run': 'say what would be done, and do nothing',
      '--event-id <id>': 'the id that a record with a bad one should have had; for one dead letter',
      '--may-have-been-applied': 'also what may have been applied before; see below',
      '--json': 'as JSON',
    },
    remarks: `Each is one transaction that applies the effect and settles the dead letter; in the order of the log.

Two reasons ask for --may-have-been-applied, because nobody can know whether their effect is there already:
  expired    its day was dropped, and its markers with it. The effect is applied without a marker.
  id-reused  its id stands for another event. The effect is applied without a marker of its own.
Look for the effect first. A second replay does no harm: the dead letter is settled by the first.`,
    flagsOf: ['grouping', 'consuming'],
    run: async (options) => (await import('./replay-dead-letters.ts')).replay(options),
  },
  {
    name: 'dead-letters discard',
    meaning: 'settle some without an effect; they stay to be looked at',
    example: 'daymark dead-letters discard 17 18 --yes',
    args: '[ids...]',
    switches: {
      '--all': 'all that wait',
      ...REASON,
      ...SINCE,
      '--yes': 'without asking',
      '--json': 'as JSON',
    },
    flagsOf: ['grouping'],
    run: async (options) => (await import('./discard-dead-letters.ts')).discard(options),
  },
]
