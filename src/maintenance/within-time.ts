import { setTimeout as delay } from 'node:timers/promises'

/** What was asked took longer than it may. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError'
  readonly code = 'OUT_OF_TIME'
}

/** Waits for an answer only so long. What is under way goes on unheard. */
export async function withinTime<Result>(limitMs: number, ask: () => Promise<Result>): Promise<Result> {
  const over = new AbortController()
  const limit = delay(limitMs, undefined, { signal: over.signal }).then(() => {
    throw new OutOfTimeError(`no answer within ${limitMs} ms`)
  })
  // When the answer wins, the timer ends with an abort that nobody waits for.
  limit.catch(() => undefined)
  try {
    return await Promise.race([ask(), limit])
  } finally {
    over.abort()
  }
}
