import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../process/log.ts'
import type { TableStanding } from '../table-standing.ts'
import type { DemoFigures } from './demo-figures.ts'
import type { Pipeline } from './demo-pipeline.ts'

const SHOW_EVERY_MS = 1_000
const READ_EVERY_MS = 5_000

/**
 * Shows the figures once a second until the signal comes, from when the marker table has been looked at for the first
 * time. They do not wait for a database that answers late, but show on what was read last. Never rejects.
 */
export async function reportFigures(
  pipeline: Pipeline,
  show: (figures: DemoFigures) => void,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  let standing: TableStanding | null = null
  const reading = keepReading(pipeline, log, signal, (latest) => {
    standing = latest
  })
  let handledBefore = 0
  let shownAtMs = performance.now()
  while (await pause(SHOW_EVERY_MS, signal)) {
    if (standing === null) continue
    const counts = pipeline.tally.counts()
    const handled = counts.processed + counts.duplicates + counts.dead
    const nowMs = performance.now()
    show({
      ...counts,
      perSecond: Math.round(((handled - handledBefore) * 1_000) / (nowMs - shownAtMs)),
      lag: pipeline.consumer.snapshot().partitions.reduce((sum, { lag }) => sum + lag, 0),
      ...rangeOf(standing),
    })
    handledBefore = handled
    shownAtMs = nowMs
  }
  await reading
}

function rangeOf({ runwayDays, marginMs }: TableStanding): Pick<DemoFigures, 'runwayDays' | 'marginSeconds'> {
  return { runwayDays, marginSeconds: marginMs === null ? null : Math.round(marginMs / 1_000) }
}

async function keepReading(
  pipeline: Pipeline,
  log: Log,
  signal: AbortSignal,
  hear: (standing: TableStanding) => void,
): Promise<void> {
  do {
    try {
      hear(await pipeline.readStanding())
    } catch (error) {
      log.warn({ err: error }, 'how the marker table stands could not be read')
    }
  } while (await pause(READ_EVERY_MS, signal))
}

/** False when the signal came. */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  // An aborted wait rejects; that it is over is what the signal says.
  await delay(ms, undefined, { signal }).catch(() => undefined)
  return !signal.aborted
}
