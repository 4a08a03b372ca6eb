import { SAME_WISH_MS } from '../../process/shutdown.ts'

/** The wish that the demo ends: from a signal, from the end of what started it or reads it, or from a failure. */
export type StopWish = Disposable & {
  /** Aborts at the first wish, with its reason. */
  readonly signal: AbortSignal
  /** Asks for the end. The first wish counts. */
  ask(wish: { readonly reason: string; readonly exitCode: 0 | 1 }): void
  /** Asks for the end, as a failure, when something ends that should not. Disposed: it may end from now on. */
  askWhen(ended: Promise<string>): Disposable
  exitCode(): 0 | 1
}

const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const

/** Listens for the end until it is disposed. A second signal ends the process at once; its servers go with it. */
export function listenForStop(): StopWish {
  const controller = new AbortController()
  let code: 0 | 1 = 0
  let askedAtMs = 0
  const ask: StopWish['ask'] = ({ reason, exitCode }) => {
    if (controller.signal.aborted) return
    code = exitCode
    askedAtMs = performance.now()
    controller.abort(reason)
  }
  const hear = (name: NodeJS.Signals): void => {
    const isSecond = controller.signal.aborted && performance.now() - askedAtMs > SAME_WISH_MS
    if (isSecond) process.exit(128 + SIGNALS[name as keyof typeof SIGNALS])
    ask({ reason: name, exitCode: 0 })
  }
  const names = Object.keys(SIGNALS)
  for (const name of names) process.on(name, hear)
  const watch = watchParent(() => ask({ reason: 'npm has ended', exitCode: 0 }))
  return {
    signal: controller.signal,
    ask,
    askWhen(ended) {
      let isWatched = true
      ended.then((reason) => {
        if (isWatched) ask({ reason, exitCode: 1 })
      })
      return {
        [Symbol.dispose]() {
          isWatched = false
        },
      }
    },
    exitCode: () => code,
    [Symbol.dispose]() {
      clearInterval(watch)
      for (const name of names) process.off(name, hear)
    },
  }
}

/** npm and its shell may be ended without a word to what they run, which would then go on unseen. */
function watchParent(onGone: () => void): NodeJS.Timeout | undefined {
  if (process.env.npm_lifecycle_event === undefined) return undefined
  const parent = process.ppid
  return setInterval(() => {
    if (process.ppid !== parent) onGone()
  }, 1_000).unref()
}
