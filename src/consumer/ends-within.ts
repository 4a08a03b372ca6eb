import { setTimeout as delay } from 'node:timers/promises'

/** Whether work that never rejects unnoticed ends within a time; it goes on either way. */
export async function endsWithin(work: Promise<unknown>, waitMs: number): Promise<boolean> {
  const timer = new AbortController()
  const late = delay(waitMs, false, { signal: timer.signal }).catch(() => false)
  const inTime = await Promise.race([work.then(() => true), late])
  timer.abort()
  return inTime
}
