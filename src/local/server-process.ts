import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { boundCommand } from './bound-command.ts'
import { LocalServerError } from './local-error.ts'

/** A server that this process started, and will stop. */
export type ServerProcess = {
  readonly pid: number
  /** Settles when the process has ended. */
  readonly exited: Promise<void>
  hasExited(): boolean
  /** Asks it to end; by force where it has not within `timeoutMs`. */
  stop(signal: NodeJS.Signals, timeoutMs: number): Promise<void>
}

export type ServerCommand = {
  readonly name: string
  /** The program and its arguments. */
  readonly command: readonly string[]
  readonly directory: string
  readonly logFile: string
  /** Whom it runs as; absent: the user that we are. */
  readonly identity?: { readonly uid: number; readonly gid: number } | undefined
  /** A command put before everything else, such as one that changes whom the server runs as. */
  readonly wrapper?: readonly string[]
  /** The signal it gets when this process dies without stopping it. */
  readonly deathSignal: 'INT' | 'KILL'
  readonly ready: () => Promise<boolean>
  readonly readyTimeoutMs: number
  /** Gives the start up: the server is ended, and the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Starts a server and waits until it answers. It gets a process group of its own: a Ctrl-C in the terminal goes to
 * the whole foreground group, and servers that end at once would pull the ground from under a consumer that is
 * still finishing its batch.
 */
export async function startServerProcess(server: ServerCommand): Promise<ServerProcess> {
  // The wrapper comes first: a change of user clears the death signal that was set before it.
  const bound = await boundCommand(server.deathSignal, server.command)
  const [command = '', ...args] = [...(server.wrapper ?? []), ...bound]
  const log = openSync(server.logFile, 'a')
  const child = spawn(command, args, {
    cwd: server.directory,
    detached: true,
    stdio: ['ignore', log, log],
    ...(server.identity ?? {}),
  })
  closeSync(log)
  const running = follow(child, server.deathSignal)
  try {
    await untilReady(server, running)
    return running
  } catch (error) {
    await running.stop(`SIG${server.deathSignal}`, 5_000)
    throw error
  }
}

async function untilReady(server: ServerCommand, running: ServerProcess): Promise<void> {
  const deadline = Date.now() + server.readyTimeoutMs
  while (!(await server.ready())) {
    server.signal?.throwIfAborted()
    if (running.hasExited()) throw failedStart(server, 'it ended at once')
    if (Date.now() > deadline)
      throw failedStart(server, `it did not answer within ${server.readyTimeoutMs / 1000} s`)
    await Promise.race([delay(50), running.exited])
  }
  // Answers of somebody else's server must not pass for its own.
  if (running.hasExited()) throw failedStart(server, 'it ended at once')
}

function failedStart(server: ServerCommand, found: string): LocalServerError {
  return new LocalServerError(
    `starting ${server.name}: ${found}. The end of ${server.logFile} says: ${lastLines(server.logFile)}`,
  )
}

function follow(child: ChildProcess, deathSignal: ServerCommand['deathSignal']): ServerProcess {
  let ended = false
  const signal = (name: NodeJS.Signals): void => {
    if (!ended) child.kill(name)
  }
  // The kernel would do the same, where it can; see boundCommand.
  const signalAtExit = (): void => signal(`SIG${deathSignal}`)
  process.once('exit', signalAtExit)
  const exited = new Promise<void>((resolve) => {
    const end = (): void => {
      ended = true
      process.off('exit', signalAtExit)
      resolve()
    }
    child.on('exit', end)
    child.on('error', end)
  })
  return {
    pid: child.pid ?? -1,
    exited,
    hasExited: () => ended,
    async stop(name, timeoutMs) {
      signal(name)
      await Promise.race([exited, delay(timeoutMs, undefined, { ref: false })])
      signal('SIGKILL')
      await exited
    },
  }
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trim().split('\n').slice(-3).join(' | ')
}
