import type { Consumer } from '../consumer/consumer.ts'
import type { ConsumerSettings } from '../consumer/consumer-settings.ts'
import { askOnce } from '../http/ask-once.ts'
import type { Check } from '../http/check.ts'
import { consumerReadiness, watchProgress } from '../http/consumer-checks.ts'
import { tableCheck } from '../http/table-check.ts'
import { readRunway } from '../maintenance/runway.ts'
import type { Database } from '../postgres/database.ts'

/** What has been started so far. Health is asked from the first moment on, before there is anything to ask. */
export type Running = { database: Database | null; consumer: Consumer | null }

/** The checks of a process that is starting, or has started. `settings` are null where it does not consume. */
export function healthOf(
  settings: ConsumerSettings | null,
  running: Running,
): { liveness: () => readonly Check[]; readiness: () => readonly Check[] } {
  // A batch may take its whole time, fail, and be tried once more before anybody should think of a restart.
  const findProgress = watchProgress(
    settings === null ? 0 : 2 * settings.batchTimeoutMs + settings.retryWaitMs,
  )
  const readRunwayDays = askOnce(async () => {
    if (running.database === null) throw new Error('not connected yet')
    return (await readRunway(running.database)).runwayDays
  })
  return {
    liveness() {
      const { consumer } = running
      if (consumer === null) return []
      return [{ name: 'progress', ask: () => findProgress(consumer.snapshot(), Date.now()) }]
    },
    readiness() {
      const { consumer } = running
      const checks = [tableCheck(readRunwayDays)]
      if (settings === null) return checks
      if (consumer !== null) return [...checks, ...consumerReadiness(() => consumer.snapshot())]
      return [...checks, { name: 'group', ask: () => ({ ok: false, found: 'not joined yet' }) }]
    },
  }
}
