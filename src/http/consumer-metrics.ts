import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { ConsumerObserver } from '../consumer/consumer-observer.ts'
import type { DeadReason } from '../consumer/event.ts'

/** Bounds in seconds that tell a healthy transaction (5 to 50 ms) from the runbook's alarm at 200 ms and from a hang. */
const DURATION_BUCKETS = [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1, 2, 5, 10]

/** The counters of a consumer, fed by each batch. Every label of an outcome is there from the start, at 0. */
export function openConsumerMetrics(registry: Registry): ConsumerObserver {
  const counters = openCounters(registry)
  const duration = new Histogram({
    name: 'event_handle_duration_seconds',
    help: 'The whole transaction of a batch, from BEGIN to the answer of COMMIT.',
    buckets: DURATION_BUCKETS,
    registers: [registry],
  })
  const commitLag = new Gauge({
    name: 'consumer_offset_commit_lag_seconds',
    help: 'From the commit in the database to that of the offset, by the last batch of each topic partition.',
    labelNames: ['topic', 'partition'],
    registers: [registry],
  })
  return {
    batchRecorded({ processed, redelivered, republished, dead, tookMs }) {
      counters.handled.inc({ outcome: 'processed' }, processed)
      counters.handled.inc({ outcome: 'duplicate' }, redelivered + republished)
      counters.handled.inc({ outcome: 'dead' }, total(dead))
      counters.duplicates.inc({ kind: 'redelivery' }, redelivered)
      counters.duplicates.inc({ kind: 'republication' }, republished)
      counters.idReused.inc(dead['id-reused'] ?? 0)
      duration.observe(tookMs / 1000)
    },
    offsetCommitted({ topic, partition, lagMs }) {
      commitLag.set({ topic, partition: String(partition) }, lagMs / 1000)
    },
    recordsLost({ count }) {
      counters.lost.inc(count)
    },
    waiting({ reason }) {
      counters.waits.inc({ reason })
    },
    // Series of topic partitions that went to another member would stand still here for ever.
    assigned: () => commitLag.reset(),
  }
}

function openCounters(registry: Registry) {
  const handled = new Counter({
    name: 'events_handled_total',
    help: 'Events by what became of them.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of ['processed', 'duplicate', 'dead']) handled.inc({ outcome }, 0)
  const duplicates = new Counter({
    name: 'daymark_duplicates_total',
    help: 'Duplicates: the same record delivered again, or the same event published again.',
    labelNames: ['kind'],
    registers: [registry],
  })
  for (const kind of ['redelivery', 'republication']) duplicates.inc({ kind }, 0)
  return {
    handled,
    duplicates,
    lost: new Counter({
      name: 'events_lost_total',
      help: "Records that the broker deleted before they were read, and events missing in a producer's numbering.",
      registers: [registry],
    }),
    idReused: new Counter({
      name: 'daymark_id_reused_total',
      help: 'Events set aside because their id was used before with another value.',
      registers: [registry],
    }),
    waits: new Counter({
      name: 'daymark_waits_total',
      help: 'How often a topic partition began to wait, by the reason.',
      labelNames: ['reason'],
      registers: [registry],
    }),
  }
}

function total(dead: Readonly<Partial<Record<DeadReason, number>>>): number {
  return Object.values(dead).reduce((sum, count) => sum + count, 0)
}
