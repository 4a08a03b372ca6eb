import type { ConsumerObserver } from '../consumer/consumer-observer.ts'

/** Events of one stretch of time. */
export type RateBucket = {
  readonly fromMs: number
  readonly processed: number
  readonly duplicate: number
  readonly dead: number
}

/** What this process took lately, by outcome, in stretches of `bucketMs`; the oldest first, and the last is under way. */
export type Rates = { readonly bucketMs: number; readonly buckets: readonly RateBucket[] }

const BUCKET_MS = 5_000
/** Fifteen minutes. */
const MOST_BUCKETS = 180

/** Counts what a consumer records, for the page, beside another observer. */
export function openRates(
  observer: ConsumerObserver,
  nowMs: () => number,
): { readonly observer: ConsumerObserver; readonly read: () => Rates } {
  const buckets = new Map<number, RateBucket>()
  const bucketOf = (instantMs: number): number => Math.floor(instantMs / BUCKET_MS) * BUCKET_MS
  return {
    observer: {
      ...observer,
      batchRecorded(batch) {
        observer.batchRecorded(batch)
        const fromMs = bucketOf(nowMs())
        const before = buckets.get(fromMs) ?? { fromMs, processed: 0, duplicate: 0, dead: 0 }
        buckets.set(fromMs, {
          fromMs,
          processed: before.processed + batch.processed,
          duplicate: before.duplicate + batch.redelivered + batch.republished,
          dead: before.dead + Object.values(batch.dead).reduce((sum, count) => sum + count, 0),
        })
        for (const old of buckets.keys()) if (old <= fromMs - MOST_BUCKETS * BUCKET_MS) buckets.delete(old)
      },
    },
    read() {
      const lastMs = bucketOf(nowMs())
      const starts = Array.from(
        { length: MOST_BUCKETS },
        (_, at) => lastMs - (MOST_BUCKETS - 1 - at) * BUCKET_MS,
      )
      return {
        bucketMs: BUCKET_MS,
        buckets: starts.map(
          (fromMs) => buckets.get(fromMs) ?? { fromMs, processed: 0, duplicate: 0, dead: 0 },
        ),
      }
    },
  }
}
