import type { ConsumerObserver } from '../../consumer/consumer-observer.ts'

/** Counts what became of the events, since it was opened. */
export type EventTally = {
  readonly observer: ConsumerObserver
  counts(): { readonly processed: number; readonly duplicates: number; readonly dead: number }
}

/** Counts, and passes everything on. */
export function openEventTally(next: ConsumerObserver): EventTally {
  const counts = { processed: 0, duplicates: 0, dead: 0 }
  return {
    observer: {
      ...next,
      batchRecorded(batch) {
        counts.processed += batch.processed
        counts.duplicates += batch.redelivered + batch.republished
        for (const number of Object.values(batch.dead)) counts.dead += number
        next.batchRecorded(batch)
      },
    },
    counts: () => ({ ...counts }),
  }
}
