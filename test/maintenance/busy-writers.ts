import type { Day } from '../../src/calendar/period.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { insertMarker } from './maintenance-bench.ts'

export type BusyWriters = {
  /** Ends them, and says how many inserts there were and how long the longest one waited. */
  stop(): Promise<{ inserts: number; longestMs: number }>
}

/** Sessions that insert markers for a day, one after the other, without a pause. A failed insert fails `stop`. */
export async function startBusyWriters(db: TestDatabase, day: Day, sessions: number): Promise<BusyWriters> {
  let isOver = false
  let inserts = 0
  let longestMs = 0
  const writers = await Promise.all(
    Array.from({ length: sessions }, async (_, writer) => {
      const session = await db.connect()
      return async (): Promise<void> => {
        for (let n = 0; !isOver; n++) {
          const startedAt = performance.now()
          await insertMarker(session, day, `writer-${writer}-${n}`)
          longestMs = Math.max(longestMs, performance.now() - startedAt)
          inserts++
        }
      }
    }),
  )
  const running = writers.map((write) => write())
  return {
    async stop() {
      isOver = true
      await Promise.all(running)
      return { inserts, longestMs }
    },
  }
}
