/** When a case has done enough: after so many events, or so much time, whichever comes first. */
export type MeterLimit = { readonly events: number; readonly tookMs: number }

/** What a case has done, and how long each of its transactions took. */
export type Reading = {
  readonly events: number
  readonly tookMs: number
  readonly transactionsMs: readonly number[]
}

/** Counts events and times transactions of one case, from its first partition on to its last commit. */
export type Meter = {
  /** Starts the clock; again, does nothing. */
  begin(): void
  add(events: number, transactionMs: number): void
  isOver(): boolean
  /** Resolves when the limit is reached. */
  readonly over: Promise<Reading>
}

export function openMeter(limit: MeterLimit): Meter {
  const { promise: over, resolve } = Promise.withResolvers<Reading>()
  const transactionsMs: number[] = []
  let beganAt: number | null = null
  let events = 0
  let isOver = false
  return {
    begin() {
      beganAt ??= performance.now()
    },
    add(count, transactionMs) {
      if (isOver) return
      const tookMs = performance.now() - (beganAt ?? Number.NaN)
      events += count
      transactionsMs.push(transactionMs)
      if (events < limit.events && tookMs < limit.tookMs) return
      isOver = true
      resolve({ events, tookMs, transactionsMs })
    },
    isOver: () => isOver,
    over,
  }
}
