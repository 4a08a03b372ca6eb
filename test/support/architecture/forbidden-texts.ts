import type { ForbiddenText } from './forbidden-text.ts'

const EVERYWHERE = ['src/', 'test/', 'bench/', 'examples/']
/** What the linter and the type checker have no rule for, or not with our reason. */
export const FORBIDDEN_TEXTS: readonly ForbiddenText[] = [
  {
    what: 'the type any',
    pattern: /(?<!\.)\bany\b/,
    reading: 'code',
    within: EVERYWHERE,
    reason: 'it ends checking for all that it touches; unknown asks first',
  },
  {
    what: 'enum',
    pattern: /\benum\s+\w+\s*\{/,
    reading: 'code',
    within: EVERYWHERE,
    reason: 'it is code that types leave behind; a union of texts is read by people and by SQL',
  },
  {
    what: 'a default export',
    pattern: /\bexport\s+default\b|\bas\s+default\b/,
    reading: 'code',
    within: EVERYWHERE,
    // Describes a library as it is.
    except: ['src/kafka/kafkajs-snappy.d.ts'],
    reason: 'everyone who imports it gives it another name',
  },
  {
    what: 'a function that does one thing And another',
    pattern: /\bfunction\s+\w*[a-z]And[A-Z]\w*/,
    reading: 'code',
    within: EVERYWHERE,
    reason: 'it is two functions',
  },
  {
    what: 'console, or a standard stream written to in passing',
    pattern: /\bconsole\s*\.|\bprocess\.std(?:out|err)\s*\.\s*write\b/,
    reading: 'code',
    within: ['src/'],
    except: ['src/cli.ts', 'src/commands/print.ts'],
    reason: 'stdout is data and stderr is messages: one file writes both',
  },
  {
    what: 'a test switch',
    pattern: /NODE_ENV|__test/i,
    reading: 'statements',
    within: ['src/'],
    reason: 'what is tested must be what runs: clock, delay and chance are parameters',
  },
  {
    what: 'a sleep',
    pattern: /\bset(?:Timeout|Interval)\s*\(|\bAtomics\.wait\b/,
    reading: 'code',
    within: ['test/'],
    except: ['test/support/eventually.ts'],
    reason: 'tests wait for facts, not for time: eventually() is the only sleeper',
  },
  {
    what: 'an import of a sleep',
    pattern:
      /^import\b[^']*(?:\bset(?:Timeout|Interval)\b|\bscheduler\b|\*)[^']*\bfrom\s+'(?:node:)?timers\b/m,
    reading: 'statements',
    within: ['test/'],
    except: ['test/support/eventually.ts'],
    reason: 'eventually() waits for a fact',
  },
  {
    what: 'a test that is left out',
    pattern: /\b(?:test|it|describe|suite|context|t)\.(?:skip|only|todo)\b|\b(?:skip|only|todo):/,
    reading: 'code',
    within: ['test/'],
    reason: 'green must mean that everything ran',
  },
]
