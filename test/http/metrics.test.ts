import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDeadLetterMetrics } from '../../src/http/dead-letter-metrics.ts'
import { openLagMetrics, type PartitionLag } from '../../src/http/lag-metrics.ts'
import { type Metrics, openMetrics } from '../../src/http/metrics.ts'
import { openTableMetrics, type TableFigures } from '../../src/http/table-metrics.ts'
import { silentLog } from '../../src/process/log.ts'

const TABLE = 'daymark.processed_events'

const FIGURES: TableFigures = {
  table: TABLE,
  markers: 400_000_000,
  oldestAgeMs: 777_600_000,
  partitions: 16,
  runwayDays: 7,
  isDetachPending: false,
  isPartitioned: true,
  madeAtMs: Date.UTC(2026, 7, 1, 12),
  removedAtMs: null,
  marginMs: 172_800_000,
  topics: [
    { topic: 'payments', retentionMs: 604_800_000 },
    { topic: 'audit', retentionMs: null },
  ],
}

function open(): Metrics {
  return openMetrics([TABLE], silentLog)
}

/** The lines of some metrics, without their help. */
async function linesOf(metrics: Metrics, ...names: string[]): Promise<string[]> {
  const text = await metrics.text()
  return text
    .split('\n')
    .filter((line) => names.some((name) => line.startsWith(`${name}{`) || line.startsWith(`${name} `)))
}

test('every label of an outcome is there from the start, at 0, so that increases can be seen', async () => {
  const metrics = open()
  assert.deepEqual(
    await linesOf(metrics, 'events_handled_total', 'events_lost_total', 'daymark_duplicates_total'),
    [
      'events_handled_total{outcome="processed"} 0',
      'events_handled_total{outcome="duplicate"} 0',
      'events_handled_total{outcome="dead"} 0',
      'daymark_duplicates_total{kind="redelivery"} 0',
      'daymark_duplicates_total{kind="republication"} 0',
      'events_lost_total 0',
    ],
  )
  assert.ok((await linesOf(metrics, 'daymark_maintenance_runs_total')).length >= 16)
})

test('a batch counts its events by outcome and its transaction once', async () => {
  const metrics = open()
  metrics.consumerObserver.batchRecorded({
    topic: 'payments',
    partition: 0,
    processed: 990,
    redelivered: 4,
    republished: 3,
    dead: { 'bad-id': 2, 'id-reused': 1 },
    tookMs: 45,
  })
  metrics.consumerObserver.recordsLost({ topic: 'payments', partition: 0, count: 12 })
  assert.deepEqual(
    await linesOf(metrics, 'events_handled_total', 'events_lost_total', 'daymark_id_reused_total'),
    [
      'events_handled_total{outcome="processed"} 990',
      'events_handled_total{outcome="duplicate"} 7',
      'events_handled_total{outcome="dead"} 3',
      'events_lost_total 12',
      'daymark_id_reused_total 1',
    ],
  )
  const buckets = await linesOf(metrics, 'event_handle_duration_seconds_bucket')
  assert.ok(buckets.includes('event_handle_duration_seconds_bucket{le="0.03"} 0'))
  assert.ok(buckets.includes('event_handle_duration_seconds_bucket{le="0.05"} 1'))
  assert.ok(buckets.some((line) => line.includes('le="0.2"')))
})

test('the series of topic partitions that were taken away vanish', async () => {
  const metrics = open()
  let lags: readonly PartitionLag[] = [
    { topic: 'payments', partition: 0, lag: 5, recordTimestampMs: 1_000, waitingFor: null },
    { topic: 'payments', partition: 1, lag: 0, recordTimestampMs: 1_000, waitingFor: 'lost-records' },
  ]
  metrics.addSource((registry) =>
    openLagMetrics(
      registry,
      () => lags,
      () => 61_000,
    ),
  )
  metrics.consumerObserver.offsetCommitted({ topic: 'payments', partition: 0, lagMs: 20 })
  assert.deepEqual(await linesOf(metrics, 'daymark_consumer_lag_records', 'daymark_consumer_lag_seconds'), [
    'daymark_consumer_lag_records{topic="payments",partition="0"} 5',
    'daymark_consumer_lag_records{topic="payments",partition="1"} 0',
    'daymark_consumer_lag_seconds{topic="payments",partition="0"} 60',
    'daymark_consumer_lag_seconds{topic="payments",partition="1"} 0',
  ])
  const waiting = await linesOf(metrics, 'daymark_waiting_topic_partitions')
  assert.ok(waiting.includes('daymark_waiting_topic_partitions{reason="lost-records"} 1'))
  assert.ok(waiting.includes('daymark_waiting_topic_partitions{reason="missing-partition"} 0'))
  assert.equal((await linesOf(metrics, 'consumer_offset_commit_lag_seconds')).length, 1)
  lags = []
  metrics.consumerObserver.assigned([])
  assert.deepEqual(
    await linesOf(metrics, 'daymark_consumer_lag_records', 'consumer_offset_commit_lag_seconds'),
    [],
  )
})

test('with 2,000 topic partitions a scrape stays small and quick', async () => {
  const metrics = open()
  const lags = Array.from({ length: 2_000 }, (_, partition) => ({
    topic: 'payments-of-every-region',
    partition,
    lag: 123_456,
    recordTimestampMs: 1_000,
    waitingFor: null,
  }))
  metrics.addSource((registry) =>
    openLagMetrics(
      registry,
      () => lags,
      () => 61_000,
    ),
  )
  for (const { topic, partition } of lags)
    metrics.consumerObserver.offsetCommitted({ topic, partition, lagMs: 20 })
  await metrics.text()
  const startedAtMs = performance.now()
  const text = await metrics.text()
  const tookMs = performance.now() - startedAtMs
  assert.equal(text.split('\n').filter((line) => line.includes('partition="')).length, 6_000)
  assert.ok(text.length < 1_000_000, `${text.length} bytes`)
  assert.ok(tookMs < 1_000, `${tookMs} ms`)
})

test('the table is shown by the names of the runbook, in seconds, and a topic without limit as +Inf', async () => {
  const metrics = open()
  metrics.addSource((registry) => openTableMetrics(registry, async () => [FIGURES]))
  const names = [
    'processed_events_row_count',
    'processed_events_oldest_age_seconds',
    'kafka_topic_retention_seconds',
  ]
  assert.deepEqual(await linesOf(metrics, ...names), [
    'processed_events_row_count 400000000',
    'processed_events_oldest_age_seconds 777600',
    'kafka_topic_retention_seconds{topic="payments"} 604800',
    'kafka_topic_retention_seconds{topic="audit"} +Inf',
  ])
  assert.deepEqual(
    await linesOf(
      metrics,
      'daymark_runway_days',
      'daymark_margin_seconds',
      'daymark_maintenance_last_success_timestamp_seconds',
      'daymark_detach_pending',
    ),
    [
      `daymark_runway_days{table="${TABLE}"} 7`,
      `daymark_margin_seconds{table="${TABLE}"} 172800`,
      `daymark_maintenance_last_success_timestamp_seconds{table="${TABLE}",kind="make"} ${Date.UTC(2026, 7, 1, 12) / 1000}`,
      `daymark_maintenance_last_success_timestamp_seconds{table="${TABLE}",kind="remove"} 0`,
      `daymark_detach_pending{table="${TABLE}"} 0`,
    ],
  )
})

test('a source that fails costs its own figures, never the scrape, and never shows an old one', async () => {
  const metrics = open()
  let isAway = false
  metrics.addSource((registry) =>
    openTableMetrics(registry, async () => {
      if (isAway) throw new Error('the database is away')
      return [FIGURES]
    }),
  )
  assert.equal((await linesOf(metrics, 'processed_events_row_count', 'daymark_runway_days')).length, 2)
  isAway = true
  assert.deepEqual(await linesOf(metrics, 'processed_events_row_count', 'daymark_runway_days'), [])
  assert.equal((await linesOf(metrics, 'events_handled_total')).length, 3)
})

test('dead letters are told by reason, of all groups together', async () => {
  const metrics = open()
  metrics.addSource((registry) =>
    openDeadLetterMetrics(registry, async () => [
      { reason: 'bad-id', waiting: 2 },
      { reason: 'bad-id', waiting: 3 },
    ]),
  )
  const lines = await linesOf(metrics, 'daymark_dead_letters')
  assert.ok(lines.includes('daymark_dead_letters{reason="bad-id"} 5'))
  assert.ok(lines.includes('daymark_dead_letters{reason="expired"} 0'))
})

test('what is not known yet shows nothing, rather than a 0 that alarms would believe', async () => {
  const metrics = open()
  metrics.addSource((registry) =>
    openTableMetrics(registry, async () => [{ ...FIGURES, oldestAgeMs: null, marginMs: null }]),
  )
  assert.deepEqual(
    await linesOf(metrics, 'processed_events_oldest_age_seconds', 'daymark_margin_seconds'),
    [],
  )
})
