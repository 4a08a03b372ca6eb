import { type MaintenanceObserver, silentObserver } from '../maintenance/maintenance-observer.ts'

/** Where progress is shown: a terminal, or what stands for one. */
export type ProgressOutput = { readonly isTTY?: boolean; write(text: string): unknown }

type Pruning = Parameters<MaintenanceObserver['rowsPruned']>[0]

const BAR_WIDTH = 30
const LINE_EVERY_MS = 10_000
const START_OF_LINE = '\r\u001B[K'

/** Shows how far a pruning is: a bar on a terminal, which is taken away at the end of the run; elsewhere a line now and then. */
export function showPruning(output: ProgressOutput, nowMs: () => number): MaintenanceObserver {
  let saidAt = nowMs()
  let hasBar = false
  return {
    ...silentObserver,
    rowsPruned(pruning) {
      if (output.isTTY === true) {
        output.write(`${START_OF_LINE}${barText(pruning)}`)
        hasBar = true
      } else if (nowMs() - saidAt >= LINE_EVERY_MS) {
        output.write(`${pruningText(pruning)}\n`)
        saidAt = nowMs()
      }
    },
    runFinished() {
      if (hasBar) output.write(START_OF_LINE)
      hasBar = false
    },
  }
}

function barText(pruning: Pruning): string {
  const { deletedRows, estimatedRows } = pruning
  if (estimatedRows === null || estimatedRows <= 0) return pruningText(pruning)
  // It was an estimate: what goes on beyond it is as good as done.
  const share = Math.min(0.99, deletedRows / estimatedRows)
  const done = Math.floor(share * BAR_WIDTH)
  const bar = `${'#'.repeat(done)}${'.'.repeat(BAR_WIDTH - done)}`
  return `[${bar}] ${Math.floor(share * 100)} %  ${pruningText(pruning)}`
}

function pruningText({ table, deletedRows, estimatedRows }: Pruning): string {
  const total = estimatedRows === null ? '' : ` of about ${estimatedRows}`
  return `${table}: ${deletedRows}${total} old rows deleted`
}
