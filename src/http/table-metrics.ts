import { Gauge, type Registry } from 'prom-client'
import { askOnce } from './ask-once.ts'
import { unknownGauge } from './gauge.ts'
import type { ScrapeSource } from './scrape-source.ts'

/** What the database tells about a table that is looked after. Null: not known. */
export type TableFigures = {
  /** `schema.table` */
  readonly table: string
  /** False for a table whose old rows are deleted: it has no runway. */
  readonly isPartitioned: boolean
  /** About how many rows it has. */
  readonly markers: number
  /** How far the oldest day that is kept reaches back; null where the table has no partition. */
  readonly oldestAgeMs: number | null
  readonly partitions: number
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

/**
 * The gauges of the tables, asked for at each scrape. By parent table, never by partition: their names rotate. The first
 * table is the marker table, to which the runbook's names belong; they have no label.
 */
export function openTableMetrics(
  registry: Registry,
  read: () => Promise<readonly TableFigures[]>,
): ScrapeSource {
  const gauges = openGauges(registry)
  const readOnce = askOnce(read)
  const clear = (): void => {
    const { rows, oldestAge, ...labelled } = gauges
    for (const gauge of [rows, oldestAge]) gauge.remove()
    for (const gauge of Object.values(labelled)) gauge.reset()
  }
  return {
    name: 'tables',
    clear,
    async refresh() {
      const tables = await readOnce()
      clear()
      const [markerTable] = tables
      if (markerTable !== undefined) showMarkerTable(gauges, markerTable)
      for (const figures of tables) show(gauges, figures)
    },
  }
}

function showMarkerTable(gauges: ReturnType<typeof openGauges>, figures: TableFigures): void {
  gauges.rows.set(figures.markers)
  if (figures.oldestAgeMs !== null) gauges.oldestAge.set(figures.oldestAgeMs / 1000)
}

function show(gauges: ReturnType<typeof openGauges>, figures: TableFigures): void {
  const { table } = figures
  gauges.tableRows.set({ table }, figures.markers)
  if (figures.isPartitioned) {
    gauges.partitions.set({ table }, figures.partitions)
    gauges.runway.set({ table }, figures.runwayDays)
    gauges.detachPending.set({ table }, figures.isDetachPending ? 1 : 0)
  }
  if (figures.marginMs !== null) gauges.margin.set({ table }, figures.marginMs / 1000)
  // Never is 0, since 1970: a removal that was refused from the first day on must alarm too.
  gauges.lastSuccess.set({ table, kind: 'make' }, (figures.madeAtMs ?? 0) / 1000)
  gauges.lastSuccess.set({ table, kind: 'remove' }, (figures.removedAtMs ?? 0) / 1000)
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
    tableRows: gauge('daymark_table_rows', "Rows of each table, by the database's own estimate.", ['table']),
    partitions: gauge('daymark_partitions', 'How many partitions each table has.', ['table']),
    runway: gauge('daymark_runway_days', 'How many days ahead have a partition.', ['table']),
    margin: gauge(
      'daymark_margin_seconds',
      'How far the markers reach back beyond what the broker can deliver again.',
      ['table'],
    ),
    lastSuccess: gauge(
      'daymark_maintenance_last_success_timestamp_seconds',
      'When a run of this kind last ended with nothing left to do; 0 for never.',
      ['table', 'kind'],
    ),
    detachPending: gauge(
      'daymark_detach_pending',
      '1 while the detach of a partition was begun and not finished.',
      ['table'],
    ),
  }
}
