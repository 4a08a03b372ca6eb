import { openDirectSession } from '../../src/postgres/direct-session.ts'
import { settingsOf } from './database-settings-of.ts'
import type { InsertWaits } from './insert-waits.ts'
import { percentile } from './percentile.ts'

/**
 * Sessions that insert a row each, one after the other, without a pause, in a process that does nothing else. At the
 * message `measure` it begins to take times, at `stop` it sends them and ends. An insert under way at `measure` counts.
 */

const SESSIONS = 4

const [url = '', statement = ''] = process.argv.slice(2)
let isOver = false
let tookMs: number[] = []

async function insertUntilOver(session: number): Promise<void> {
  await using db = await openDirectSession(settingsOf(url, 1))
  for (let number = 0; !isOver; number++) {
    const beganAt = performance.now()
    await db.query(statement, [`insert-${session}-${number}`])
    tookMs.push(performance.now() - beganAt)
  }
}

process.on('message', (message) => {
  if (message === 'measure') tookMs = []
  else isOver = true
})
await Promise.all(Array.from({ length: SESSIONS }, (_, session) => insertUntilOver(session)))
process.send?.({
  inserts: tookMs.length,
  longestInsertWaitMs: percentile(tookMs, 1),
  p99InsertMs: percentile(tookMs, 0.99),
} satisfies InsertWaits)
process.disconnect?.()
