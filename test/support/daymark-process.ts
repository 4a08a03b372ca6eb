import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

/** How a process of ours ended. */
export type Ended = { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }

/** The real command line in a process of its own. Disposing kills it, where it still runs. */
export type DaymarkProcess = AsyncDisposable & {
  readonly pid: number
  /** What it has written to stderr so far: its log, and messages. */
  stderr(): string
  signal(name: NodeJS.Signals): void
  readonly ended: Promise<Ended>
}

/** Starts `daymark …` with these variables alone: nothing of the environment of the tests leaks in. */
export function startDaymark(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  directory = '/',
): DaymarkProcess {
  const child = spawn(process.execPath, ['--disable-warning=TimeoutNegativeWarning', CLI, ...args], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  return {
    pid: child.pid ?? -1,
    stderr: () => output.stderr,
    signal: (name) => child.kill(name),
    ended: endOf(child).then((exitCode) => ({ exitCode, ...output })),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await endOf(child)
    },
  }
}

/** Runs `daymark …` to its end. */
export async function runDaymark(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  directory?: string,
): Promise<Ended> {
  await using daymark = startDaymark(args, variables, directory)
  return await daymark.ended
}

async function endOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  return child.exitCode
}
