import type { Queryable } from '../../postgres/queryable.ts'
import type { Outcome } from '../outcome.ts'
import type { RunKind, RunTrigger } from '../policy.ts'
import type { Blocker } from './list-blockers.ts'

/** What a run did in one step. */
export type RunStepRow = {
  readonly runId: string
  readonly trigger: RunTrigger
  readonly kind: RunKind
  readonly schema: string
  readonly table: string
  readonly step: string
  readonly partition: string | null
  readonly fromDay: string | null
  readonly untilDay: string | null
  readonly outcome: Outcome
  readonly reason: string
  readonly waitedMs: number
  readonly tookMs: number
  readonly blockers: readonly Blocker[]
  readonly error: string | null
  readonly sqlstate: string | null
}

export async function insertRunStep(db: Queryable, row: RunStepRow): Promise<void> {
  await db.query(
    `insert into daymark.maintenance_runs
       (run_id, trigger, kind, schema_name, table_name, step, partition_name, from_day, until_day, outcome, reason,
        waited_ms, took_ms, blocker, error, sqlstate)
     values ($1::uuid, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::date, $9::date, $10::text,
             $11::text, $12::double precision, $13::double precision, $14::jsonb, $15::text, $16::text)`,
    [
      row.runId,
      row.trigger,
      row.kind,
      row.schema,
      row.table,
      row.step,
      row.partition,
      row.fromDay,
      row.untilDay,
      row.outcome,
      row.reason,
      row.waitedMs,
      row.tookMs,
      row.blockers.length === 0 ? null : JSON.stringify(row.blockers),
      row.error,
      row.sqlstate,
    ],
  )
}
