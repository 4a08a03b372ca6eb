import { parseArgs } from 'node:util'
import { silentLog } from '../../src/process/log.ts'
import { listenForShutdown } from '../../src/process/shutdown.ts'

export type BenchOptions = {
  /** Aborted at Ctrl-C: what was started is ended then, and what was made is removed. */
  readonly signal: AbortSignal
  /** `--json`: only the figures, for programs. */
  readonly isJson: boolean
  /** `--data`: the directory beneath which the servers keep their data; null where none was given. */
  readonly data: string | null
}

/** Runs a benchmark and prints what it resolves to on stdout; all that is said on the way goes to stderr. */
export async function runBench(bench: (options: BenchOptions) => Promise<string>): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: 'boolean', default: false }, data: { type: 'string' } },
  })
  using shutdown = listenForShutdown(silentLog)
  try {
    const options = { signal: shutdown.signal, isJson: values.json, data: values.data ?? null }
    process.stdout.write(`${await bench(options)}\n`)
  } catch (error) {
    if (!shutdown.signal.aborted) throw error
    process.exitCode = 130
  }
}

/** Says what is being done, to people. */
export function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}

/** Figures as JSON for programs, to two decimals: more than that is noise. */
export function figuresJson(figures: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(figures, (_, value) =>
    typeof value === 'number' ? Math.round(value * 100) / 100 : value,
  )
}
