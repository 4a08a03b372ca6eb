import type { Log } from '../process/log.ts'

/** Figures that are asked for when somebody scrapes, rather than counted as things happen. */
export type ScrapeSource = {
  readonly name: string
  /** Asks, and sets its gauges. */
  readonly refresh: () => Promise<void> | void
  /** Takes its gauges away: a figure that is no longer known must not stand there as if it were. */
  readonly clear: () => void
}

const ANSWER_WITHIN_MS = 3_000

/**
 * Refreshes every source at once. One that fails or is late loses its figures until it answers again; the scrape goes
 * on without it, because the counters of this process are most wanted when the database is away.
 */
export async function refreshSources(sources: readonly ScrapeSource[], log: Log): Promise<void> {
  await Promise.all(
    sources.map(async (source) => {
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => late.reject(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`)),
        ANSWER_WITHIN_MS,
      )
      try {
        await Promise.race([Promise.resolve().then(source.refresh), late.promise])
      } catch (error) {
        source.clear()
        log.warn({ source: source.name, err: error }, 'figures for the metrics could not be had')
      } finally {
        clearTimeout(timer)
      }
    }),
  )
}
