import { addDays } from '../../calendar/period.ts'
import { durationText } from '../../maintenance/duration-text.ts'
import type { Policy } from '../../maintenance/policy.ts'
import type { TableStanding } from '../table-standing.ts'
import { attention, type Finding, fine } from './finding.ts'

/** Runs are hourly; a removal may wait for a while behind an open transaction without any harm. */
const MAX_SILENCE_MS = 3 * 3_600_000

/** Fewer days ahead than this leave too little time to mend what keeps the worker from its work. */
const LEAST_RUNWAY_DAYS = 3

/** Judges what is there, whatever was scheduled: runway, fence, a detach that hangs, and the last runs. Pure. */
export function judgeStanding(policy: Policy, standing: TableStanding): Finding[] {
  const runs = [
    judgeRuns(standing, 'make', standing.madeAtMs),
    judgeRuns(standing, 'remove', standing.removedAtMs),
  ]
  if (!standing.isPartitioned) return runs
  return [judgeRunway(policy, standing), judgeFence(standing), judgeDetach(standing), ...runs]
}

function judgeRunway(policy: Policy, { table, runwayDays }: TableStanding): Finding {
  const wanted = Math.min(LEAST_RUNWAY_DAYS, policy.runwayDays)
  if (runwayDays >= wanted) return fine('runway', table, `${runwayDays} d ahead have a partition`)
  const found =
    runwayDays < 1
      ? `there is no partition for ${runwayDays < 0 ? 'today' : 'tomorrow'}`
      : `only ${runwayDays} d ahead have a partition`
  return attention('runway', table, found, 'run `daymark apply`, and see why the worker did not')
}

function judgeFence({ table, fence, today }: TableStanding): Finding {
  if (fence === null)
    return attention(
      'fence',
      table,
      'no run has written a fence yet',
      'start the worker, or run `daymark apply`',
    )
  if (today !== null && fence >= addDays(today, -1)) {
    const advice = "compare the database's clock with another, and see `daymark status`"
    return attention(
      'fence',
      table,
      `the fence is ${fence}: events of yesterday are refused as expired`,
      advice,
    )
  }
  return fine('fence', table, `the fence is ${fence}`)
}

function judgeDetach({ table, isDetachPending }: TableStanding): Finding {
  if (!isDetachPending) return fine('detach', table, 'no detach is pending')
  return attention(
    'detach',
    table,
    'a detach was begun and not finished',
    'the next run finishes it; `daymark apply` does it now, or says who holds it up',
  )
}

function judgeRuns({ table, nowMs }: TableStanding, kind: 'make' | 'remove', atMs: number | null): Finding {
  const what = kind === 'make' ? 'days were made' : 'days were removed'
  const advice = 'see whether `daymark maintain` runs, and `daymark status` for what its last steps met'
  if (atMs === null)
    return attention('runs', table, `no run has ended so far in which ${what} as wanted`, advice)
  const found = `${what} as wanted ${durationText(Math.max(0, nowMs - atMs))} ago`
  return nowMs - atMs > MAX_SILENCE_MS ? attention('runs', table, found, advice) : fine('runs', table, found)
}
