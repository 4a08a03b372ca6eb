import type { Queryable } from '../../postgres/queryable.ts'

/** The last steps that maintenance wrote down, the newest first. */
export async function listLastSteps(db: Queryable, limit: number): Promise<LastStep[]> {
  const { rows } = await db.query<LastStep>(TEXT, [limit])
  return rows
}

export type LastStep = {
  readonly runId: string
  readonly trigger: string
  readonly kind: string
  readonly table: string
  readonly step: string
  readonly partition: string | null
  readonly outcome: string
  readonly reason: string
  readonly waitedMs: number
  readonly tookMs: number
  readonly error: string | null
  readonly recordedAtMs: number
}

const TEXT = `
select run_id as "runId",
       trigger,
       kind,
       schema_name || '.' || table_name as "table",
       step,
       partition_name as "partition",
       outcome,
       reason,
       waited_ms as "waitedMs",
       took_ms as "tookMs",
       error,
       (extract(epoch from recorded_at) * 1000)::double precision as "recordedAtMs"
  from daymark.maintenance_runs
 order by recorded_at desc, id desc
 limit $1::integer
`
