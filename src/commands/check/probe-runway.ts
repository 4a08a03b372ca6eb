import { randomUUID } from 'node:crypto'
import type { Day } from '../../calendar/period.ts'
import { insertMarkers } from '../../consumer/sql/insert-markers.ts'
import { limitTransaction } from '../../consumer/sql/limit-transaction.ts'
import type { Database } from '../../postgres/database.ts'
import { complaintOf, type DatabaseComplaint } from '../../postgres/sqlstate.ts'
import { begin, rollback } from '../../postgres/transaction.ts'
import { takeRole } from './sql/take-role.ts'

export type ProbeFailure = { readonly step: 'role' | 'mark'; readonly complaint: DatabaseComplaint }

const LIMITS = { statementTimeoutMs: 10_000, lockTimeoutMs: 5_000, idleTimeoutMs: 10_000 }

/**
 * Marks an event of that day with the consumer's own statement, and rolls it back: only the database itself knows whether
 * partition, index, grants and row security are as the consumer needs them. `role` null: as the role of the connection.
 * Returns null where it went well, or else what it was about to do and what the database complained of.
 */
export async function probeRunway(
  database: Database,
  day: Day,
  role: string | null,
): Promise<ProbeFailure | null> {
  return database.withSession(async (session) => {
    await begin(session)
    let step: ProbeFailure['step'] = 'role'
    try {
      await limitTransaction(session, LIMITS)
      if (role !== null) await takeRole(session, role)
      step = 'mark'
      await insertMarkers(session, 'daymark check', 'daymark check', 0, {
        eventIds: [randomUUID()],
        markerDays: [day],
        offsets: ['0'],
        valueCrc32s: [null],
        overlaps: [false],
      })
      return null
    } catch (error) {
      const complaint = complaintOf(error)
      if (complaint === null) throw error
      return { step, complaint }
    } finally {
      await rollback(session)
    }
  })
}
