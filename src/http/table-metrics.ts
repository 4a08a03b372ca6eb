import { Gauge, type Registry } from 'prom-client'
import { askOnce } from './ask-once.ts'
import { unknownGauge } from './gauge.ts'
import type { ScrapeSource } from './scrape-source.ts'

/** What the database tells about the marker table. Null: not known. */
export type TableFigures = {
  /** `schema.table` */
  readonly table: string
  readonly markers: number
  /** How far the oldest day that is kept reaches back; null where the table has no partition. */
  readonly oldestAgeMs: number | null
  readonly runwayDays: number
  readonly isDetachPending: boolean
  /** How far the markers reach back beyond what the broker can deliver again; negative: events could be applied twice. */
  readonly marginMs: number | null
  /** When days were last made, and last removed, with nothing left to do; null for never. */
  readonly madeAtMs: number | null
  readonly removedAtMs: number | null
  /** `retentionMs` null: without limit. */
  readonly topics: readonly { readonly topic: string; readonly retentionMs: number | null }[]
}

/** The gauges of the marker table, asked for at each scrape. By parent table, never by partition: their names rotate. */
export function openTableMetrics(registry: Registry, read: () => Promise<TableFigures>): ScrapeSource {
  const gauges = openGauges(registry)
  const readOnce = askOnce(read)
  const clear = (): void => {
    const { rows, oldestAge, ...labelled } = gauges
    for (const gauge of [rows, oldestAge]) gauge.remove()
    for (const gauge of Object.values(labelled)) gauge.reset()
  }
  return {
    name: 'marker table',
    clear,
    async refresh() {
      const figures = await readOnce()
      clear()
      show(gauges, figures)
    },
  }
}

function show(gauges: ReturnType<typeof openGauges>, figures: TableFigures): void {
  const { table } = figures
  gauges.rows.set(figures.markers)
  if (figures.oldestAgeMs !== null) gauges.oldestAge.set(figures.oldestAgeMs / 1000)
  gauges.runway.set({ table }, figures.runwayDays)
  gauges.detachPending.set({ table }, figures.isDetachPending ? 1 : 0)
  if (figures.marginMs !== null) gauges.margin.set({ table }, figures.marginMs / 1000)
  if (figures.madeAtMs !== null) gauges.lastSuccess.set({ table, kind: 'make' }, figures.madeAtMs / 1000)
  if (figures.removedAtMs !== null)
    gauges.lastSuccess.set({ table, kind: 'remove' }, figures.removedAtMs / 1000)
  for (const { topic, retentionMs } of figures.topics) {
    gauges.retention.set({ topic }, retentionMs === null ? Number.POSITIVE_INFINITY : retentionMs / 1000)
  }
}

function openGauges(registry: Registry) {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  return {
    rows: unknownGauge(registry, 'processed_events_row_count', "Markers, by the database's own estimate."),
    oldestAge: unknownGauge(
      registry,
      'processed_events_oldest_age_seconds',
      'How far the oldest day of markers reaches back. Must stay above the retention of the topics.',
    ),
    retention: gauge('kafka_topic_retention_seconds', 'retention.ms of each topic; +Inf without limit.', [
      'topic',
    ]),
    runway: gauge('daymark_runway_days', 'How many days ahead have a partition.', ['table']),
    margin: gauge(
      'daymark_margin_seconds',
      'How far the markers reach back beyond what the broker can deliver again.',
      ['table'],
    ),
    lastSuccess: gauge(
      'daymark_maintenance_last_success_timestamp_seconds',
      'When a run of this kind last ended with nothing left to do.',
      ['table', 'kind'],
    ),
    detachPending: gauge(
      'daymark_detach_pending',
      '1 while the detach of a partition was begun and not finished.',
      ['table'],
    ),
  }
}
