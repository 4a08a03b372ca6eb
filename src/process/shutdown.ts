import type { Log } from './log.ts'

/** The wish to end: heard once, from a signal. Dispose it to give the signals back. */
export type Shutdown = Disposable & {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal
  /** Resolves at the first signal. */
  readonly asked: Promise<void>
}

const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const

/**
 * npm passes a Ctrl-C on to what it runs, although the terminal has already sent it to the whole group: the second one
 * comes some milliseconds after the first, and is no wish of its own.
 */
export const SAME_WISH_MS = 500

/**
 * Listens for SIGINT and SIGTERM. The first one asks for an orderly end, which takes as long as its deadlines allow;
 * the second ends the process at once, with the exit code by which a shell knows the signal.
 */
export function listenForShutdown(log: Log): Shutdown {
  const controller = new AbortController()
  const asked = Promise.withResolvers<void>()
  let askedAtMs = 0
  const hear = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted && performance.now() - askedAtMs < SAME_WISH_MS) return
    if (controller.signal.aborted) process.exit(128 + SIGNALS[name as keyof typeof SIGNALS])
    askedAtMs = performance.now()
    log.info({ signal: name }, 'stopping; a second signal ends the process at once')
    controller.abort()
    asked.resolve()
  }
  for (const name of Object.keys(SIGNALS)) process.on(name, hear)
  return {
    signal: controller.signal,
    asked: asked.promise,
    [Symbol.dispose]() {
      for (const name of Object.keys(SIGNALS)) process.off(name, hear)
    },
  }
}

/**
 * Ends the process with exit code 1 if it is still there after `limitMs`. Everything that stops has a deadline of its
 * own; this is for what has none, such as a connection that a stranger's code holds.
 */
export function limitStop(limitMs: number, log: Log): void {
  const giveUp = (): void => {
    log.error({ after_ms: limitMs }, 'stopping took too long; what was not committed is rolled back')
    process.exit(1)
  }
  setTimeout(giveUp, limitMs).unref()
}
