import { z } from 'zod'
import { DEFAULT_CONSUMER_SETTINGS as DEFAULTS, IDENTITY_NAMES } from '../../consumer/consumer-settings.ts'
import { duration, durationInWords, durationShape } from '../duration.ts'
import { optionalSetting, setting } from '../setting.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** How a group consumes. */
export const consumerSection = z
  .strictObject({
    group: optionalSetting(z.string().min(1).max(255), {
      shape: "the name of a consumer group, such as 'ledger-writer'",
      meaning: 'The consumer group. Markers, progress and dead letters belong to it.',
      kind: 'text',
      variables: ['KAFKA_GROUP_ID'],
    }),
    topics: optionalSetting(z.array(z.string().regex(/^[A-Za-z0-9._-]{1,249}$/)).min(1), {
      shape: "topics, such as 'payments,refunds'",
      meaning: 'The topics to read, and those whose retention the marker table has to outlast.',
      kind: 'list',
      variables: ['KAFKA_TOPICS'],
    }),
    handler: optionalSetting(z.string().regex(/\.(ts|mts|js|mjs|sql)$/), {
      shape: "the path of a module or of an SQL file, such as 'handler.ts' or 'effect.sql'",
      meaning: 'What turns events into effects.',
      kind: 'text',
    }),
    ...identitySettings(),
    ...batchSettings(),
    ...failureSettings(),
    ...lifeSettings(),
  })
  .prefault({})

function identitySettings() {
  const overlapRange = { fromMs: 0, untilMs: 12 * HOUR_MS }
  return {
    eventId: setting(z.string().regex(/^(key|header:.+)$/), `header:${DEFAULTS.eventId.name}`, {
      shape: "'key' or 'header:NAME', such as 'header:event-id'",
      meaning:
        "Where an event's id stands. CloudEvents' ce_id is read where the header is absent. Pinned for a group.",
      kind: 'text',
    }),
    markerDay: setting(z.enum(['record-timestamp', 'event-id']), DEFAULTS.markerDay, {
      shape: "'record-timestamp' or 'event-id'",
      meaning:
        "Where an event's day comes from: the record, or the time inside a UUIDv7 or ULID id. Pinned for a group.",
      kind: 'text',
    }),
    idScope: setting(z.enum(['group', 'topic']), DEFAULTS.idScope, {
      shape: "'group' or 'topic'",
      meaning: "Whether one id in two topics is one event ('group') or two ('topic'). Pinned for a group.",
      kind: 'text',
    }),
    overlap: setting(duration(overlapRange), durationInWords(DEFAULTS.overlapMs), {
      shape: durationShape(overlapRange, '15 minutes'),
      meaning: 'Around a midnight, events within this time of it are marked in both days.',
      kind: 'text',
    }),
    acceptIdentityChange: setting(z.array(z.enum(IDENTITY_NAMES)), [], {
      shape: `of ${IDENTITY_NAMES.join(', ')}`,
      meaning:
        'Pinned settings that may change at this start. Danger: records delivered again across the change are applied twice.',
      kind: 'list',
    }),
  }
}

function batchSettings() {
  const timeoutRange = { fromMs: 1_000, untilMs: HOUR_MS }
  return {
    batchRows: setting(z.int().min(1).max(100_000), DEFAULTS.batchRows, {
      shape: 'a whole number from 1 to 100000',
      meaning: 'The most events in one transaction.',
      kind: 'number',
    }),
    batchBytes: setting(
      z
        .int()
        .min(1024)
        .max(1024 ** 3),
      DEFAULTS.batchBytes,
      {
        shape: 'a whole number of bytes from 1024 to 1073741824',
        meaning: 'The most bytes of keys and values in one transaction; a record that is larger goes alone.',
        kind: 'number',
      },
    ),
    batchTimeout: setting(duration(timeoutRange), durationInWords(DEFAULTS.batchTimeoutMs), {
      shape: durationShape(timeoutRange, '1 minute'),
      meaning: 'How long one batch may take before it is aborted and tried again.',
      kind: 'text',
    }),
    concurrency: setting(z.int().min(1).max(64), DEFAULTS.concurrency, {
      shape: 'a whole number from 1 to 64',
      meaning: 'How many topic partitions are worked on at once; each holds a database connection meanwhile.',
      kind: 'number',
    }),
  }
}

function failureSettings() {
  const waitRange = { fromMs: 100, untilMs: HOUR_MS }
  return {
    onExpired: setting(z.enum(['dead-letter', 'skip']), DEFAULTS.onExpired, {
      shape: "'dead-letter' or 'skip'",
      meaning: 'What an event of a dropped day becomes: a dead letter, or only a number in the metrics.',
      kind: 'text',
    }),
    onLostRecords: setting(z.enum(['wait', 'continue']), DEFAULTS.onLostRecords, {
      shape: "'wait' or 'continue'",
      meaning:
        'Whether records that the broker deleted unread hold their topic partition up until they are accepted.',
      kind: 'text',
    }),
    sequenceHeader: optionalSetting(z.string().min(1), {
      shape: "the name of a header, such as 'event-sequence'",
      meaning:
        "Where a producer's own numbering stands, as PRODUCER/SESSION/NUMBER; gaps count in events_lost_total. Not for compacted topics.",
      kind: 'text',
    }),
    deadLetterLimit: setting(z.number().min(0).max(1), DEFAULTS.deadLetterLimit, {
      shape: 'a number from 0 to 1',
      meaning:
        "The largest share of failures among a topic partition's last events; above it the partition waits.",
      kind: 'number',
    }),
    retryWait: setting(duration(waitRange), durationInWords(DEFAULTS.retryWaitMs), {
      shape: durationShape(waitRange, '30 seconds'),
      meaning: 'How long a topic partition that waits does so before it looks again.',
      kind: 'text',
    }),
  }
}

function lifeSettings() {
  const shutdownRange = { fromMs: 100, untilMs: HOUR_MS }
  const sessionRange = { fromMs: 1_000, untilMs: 30 * MINUTE_MS }
  return {
    startFrom: setting(z.enum(['earliest', 'latest']), DEFAULTS.startFrom, {
      shape: "'earliest' or 'latest'",
      meaning: 'Where a group begins that is new to the broker and to the database.',
      kind: 'text',
    }),
    shutdownTimeout: setting(duration(shutdownRange), durationInWords(DEFAULTS.shutdownTimeoutMs), {
      shape: durationShape(shutdownRange, '20 seconds'),
      meaning: 'How long a stop may take.',
      kind: 'text',
    }),
    sessionTimeout: setting(duration(sessionRange), durationInWords(DEFAULTS.sessionTimeoutMs), {
      shape: durationShape(sessionRange, '10 seconds'),
      meaning: "How long the broker waits for a member's heartbeat before it gives its partitions away.",
      kind: 'text',
    }),
  }
}
