import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ConsumerProcessOptions } from './consumer-process.ts'
import { eventually } from './eventually.ts'
import type { OffsetFirstOptions } from './offset-first-consumer.ts'
import type { RunbookConsumerOptions } from './runbook-consumer.ts'

const SCRIPT = fileURLToPath(new URL('consumer-process.ts', import.meta.url))
const RUNBOOK_SCRIPT = fileURLToPath(new URL('runbook-consumer.ts', import.meta.url))
const OFFSET_FIRST_SCRIPT = fileURLToPath(new URL('offset-first-consumer.ts', import.meta.url))

/** A consumer in a process of its own. Disposing kills it, where it still runs. */
export type ConsumerProcess = AsyncDisposable & {
  signal(name: NodeJS.Signals): void
  /** Kills it with signal 9, and resolves when it is gone. */
  kill(): Promise<void>
  /** Resolves when it has stopped itself at its halt. */
  halted(): Promise<unknown>
  /** The topic partitions of its last assignment, as `topic/partition`; null before the first. */
  assigned(): readonly string[] | null
  readonly ended: Promise<number | null>
}

/** Starts a consumer process, in a time zone of its own if that is given. */
export function startConsumerProcess(options: ConsumerProcessOptions, timeZone = 'UTC'): ConsumerProcess {
  return startProcess(SCRIPT, options, timeZone)
}

/** Starts a consumer that commits the offset before the effect. */
export function startOffsetFirstConsumer(options: OffsetFirstOptions): ConsumerProcess {
  return startProcess(OFFSET_FIRST_SCRIPT, options, 'UTC')
}

/** Starts the runbook's consumer, on the runbook's table. */
export function startRunbookConsumer(options: RunbookConsumerOptions): ConsumerProcess {
  return startProcess(RUNBOOK_SCRIPT, options, 'UTC')
}

function startProcess(script: string, options: object, timeZone: string): ConsumerProcess {
  const child = spawn(
    process.execPath,
    ['--disable-warning=TimeoutNegativeWarning', script, JSON.stringify(options)],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH, TZ: timeZone } },
  )
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  const ended = endOf(child)
  return {
    signal: (name) => child.kill(name),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    halted: () =>
      eventually('the consumer process to halt', () => {
        if (child.exitCode !== null) throw new Error(`it has ended: ${output.stderr}`)
        return output.stdout.includes('halted ')
      }),
    assigned() {
      const last = output.stdout.split('\n').findLast((line) => line.startsWith('assigned'))
      return last === undefined ? null : last.split(' ').slice(1).filter(Boolean)
    },
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function endOf(child: ChildProcess): Promise<number | null> {
  await once(child, 'close')
  return child.exitCode
}
