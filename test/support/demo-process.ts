import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))

/** A demo in a process of its own, as npm starts it, with stdout and stderr piped. */
export type DemoProcess = AsyncDisposable & {
  /** The whole lines of stdout so far. */
  lines(): string[]
  /** All of stderr so far. */
  messages(): string
  signal(name: NodeJS.Signals): void
  /** Stops reading its stdout, as `head` does. */
  closeOutput(): void
  readonly ended: Promise<{ readonly exitCode: number | null }>
  /** The last line with figures; throws where it has ended. */
  figures(): Record<string, number | null> | null
}

/**
 * Starts a demo with these variables and PATH, and nothing else of our own environment. Killed when it is disposed, if it
 * is still there.
 */
export function startDemo(variables: Readonly<Record<string, string>>): DemoProcess {
  const flags = ['--disable-warning=TimeoutNegativeWarning', 'src/cli.ts', 'demo']
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, flags, {
    cwd: CHECKOUT,
    env: { PATH, HOME, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    stdout += piece
  })
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece
  })
  const ended = new Promise<{ exitCode: number | null }>((resolve) => {
    child.on('close', (exitCode) => resolve({ exitCode }))
  })
  const lines = (): string[] => stdout.split('\n').slice(0, -1)
  return {
    lines,
    figures() {
      if (child.exitCode !== null) throw new Error(`it has ended: ${stderr}`)
      const line = lines().at(-1)
      return line === undefined ? null : JSON.parse(line)
    },
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
    messages: () => stderr,
    signal: (name) => void child.kill(name),
    closeOutput: () => void child.stdout.destroy(),
  }
}
