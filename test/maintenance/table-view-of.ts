import { addDays, type Day, endOfDay, startOfDay } from '../../src/calendar/period.ts'
import type { TopicEvidence } from '../../src/maintenance/evidence.ts'
import { type Partition, partitionName } from '../../src/maintenance/partition.ts'
import { DEFAULT_POLICY, type Policy } from '../../src/maintenance/policy.ts'
import type { TableFacts } from '../../src/maintenance/sql/find-table.ts'
import type { TableView } from '../../src/maintenance/table-view.ts'

export const DAY_MS = 86_400_000

/** A marker table as the migration makes it, seen by its owner. */
export const MARKER_TABLE: TableFacts = {
  oid: '1000',
  isPartitioned: true,
  strategy: 'r',
  keyCount: 1,
  keyColumn: 'marker_day',
  keyType: 'date',
  owner: 'daymark',
  role: 'daymark',
  mayActAsOwner: true,
  mayCreate: true,
  references: [],
  referencedBy: [],
  replicaIdentity: 'd',
  replicaIndex: null,
  hasRowSecurity: false,
  forcesRowSecurity: false,
  grants: [],
  rowPolicies: [],
  comment: null,
  columnTunings: [],
  storageParameters: [],
}

export function partitionOf(day: Day, more: Partial<Partition> = {}): Partition {
  return {
    oid: String(2_000_000 + startOfDay(day) / DAY_MS),
    schema: 'daymark',
    name: partitionName('processed_events', day),
    fromMs: startOfDay(day),
    untilMs: endOfDay(day),
    isDefault: false,
    isPending: false,
    estimatedRows: null,
    estimatedBytes: 0,
    ...more,
  }
}

/** A table with a partition for each of some days, at a moment of the database's clock. */
export function viewOf(nowMs: number, days: readonly Day[], more: Partial<TableView> = {}): TableView {
  return {
    nowMs,
    clockLeadMs: 0,
    table: MARKER_TABLE,
    rows: null,
    defaultRows: null,
    fence: addDays(days[0] ?? '2026-01-01', -1),
    partitions: days.map((day) => partitionOf(day)),
    madeDays: [],
    toDrop: [],
    elders: [],
    holders: [],
    ...more,
  }
}

export function givenRetention(ms: number, more: Partial<Policy> = {}): Policy {
  return { ...DEFAULT_POLICY, retention: { kind: 'given', ms }, ...more }
}

/** A topic of one partition, of which the broker holds the offsets from low to high. */
export function topicOf(
  more: Partial<TopicEvidence> & {
    low?: string
    high?: string
    marks?: [Day, string][]
    atEnd?: [Day, string][]
  },
): TopicEvidence {
  const { low = '0', high = '0', marks = [], atEnd = [], ...rest } = more
  return {
    topic: 'payments',
    presence: 'there',
    settings: { topic: 'payments', retentionMs: 7 * DAY_MS, cleanupPolicy: 'delete' },
    seenAtMs: null,
    partitions: [{ partition: 0, low, high, marks: new Map(marks), offsetsAtEnd: new Map(atEnd) }],
    oldest: null,
    complaint: null,
    ...rest,
  }
}
