import { headerValuesOf } from '../kafka/header-values.ts'
import type { KafkaHeaders } from '../kafka/kafka-record.ts'
import type { DeadEvent } from './event.ts'
import type { DeadLetterColumns } from './sql/insert-dead-letters.ts'

/**
 * PostgreSQL's timestamps begin in 4714 BC and end in the year 294276; what lies outside is written as infinity.
 * https://www.postgresql.org/docs/18/datatype-datetime.html
 */
const EARLIEST_TIMESTAMP_MS = Date.UTC(-4712, 0, 1)
const LATEST_TIMESTAMP_MS = 9.2e15

/** Turns dead events into columns. Bytes stay bytes; texts that PostgreSQL cannot hold lose only their NULs. */
export function deadLetterColumns(dead: readonly DeadEvent[]): DeadLetterColumns {
  return {
    offsets: dead.map(({ record }) => record.offset),
    recordTimestampsMs: dead.map(({ record }) => inRange(Number(record.timestamp))),
    eventIds: dead.map(({ eventId }) => (eventId === null ? null : withoutNul(eventId))),
    markerDays: dead.map(({ markerDay }) => markerDay),
    overlapDays: dead.map(({ overlapDay }) => overlapDay),
    refusedDays: dead.map(({ refusedDay }) => refusedDay),
    keys: dead.map(({ record }) => record.key?.toString('hex') ?? null),
    values: dead.map(({ record }) => record.value?.toString('hex') ?? null),
    headers: dead.map(({ record }) => headersText(record.headers ?? {})),
    reasons: dead.map(({ reason }) => reason),
    errors: dead.map(({ error }) => withoutNul(error)),
    sqlstates: dead.map(({ sqlstate }) => sqlstate),
  }
}

/** An array of [name, value as base64], a pair per value: a header's bytes need not be text. */
export function headersText(headers: KafkaHeaders): string {
  const pairs = Object.keys(headers).flatMap((name) =>
    headerValuesOf(headers, name).map((value) => [
      withoutNul(name),
      value === null ? null : Buffer.from(value).toString('base64'),
    ]),
  )
  return JSON.stringify(pairs)
}

function inRange(timestampMs: number): number | null {
  return timestampMs >= EARLIEST_TIMESTAMP_MS && timestampMs < LATEST_TIMESTAMP_MS ? timestampMs : null
}

/** A text as PostgreSQL can hold it: without NUL, and without halves of surrogate pairs. */
export function withoutNul(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u2400')
}
