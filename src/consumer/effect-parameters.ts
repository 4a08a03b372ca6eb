import { arrayText, numberArrayText } from '../postgres/array-text.ts'
import { decodeHeaders } from './decode-headers.ts'
import type { EffectStatement } from './effect-statement.ts'
import type { Event } from './event.ts'
import { type MarkerRow, markerColumns } from './marker-columns.ts'

/** The parameters of the separate form: an array per column of `events`. */
export function separateParameters(
  { reads }: Pick<EffectStatement, 'reads'>,
  topic: string,
  partition: number,
  events: readonly Event[],
): unknown[] {
  return [
    topic,
    partition,
    arrayText(events.map(({ eventId }) => eventId)),
    `{${events.map(({ record }) => record.offset).join(',')}}`,
    numberArrayText(events.map(({ record }) => Number(record.timestamp))),
    arrayText(events.map(({ record }) => (reads.key ? textOf(record.key) : null))),
    arrayText(events.map(({ record }) => textOf(record.value))),
    arrayText(events.map(({ record }) => (reads.headers ? headersOf(record.headers ?? {}) : null))),
  ]
}

/** The parameters of the fused form: a row per marker; what belongs to the event stands with its first marker. */
export function fusedParameters(
  { reads }: Pick<EffectStatement, 'reads'>,
  group: string,
  topic: string,
  partition: number,
  rows: readonly MarkerRow[],
): unknown[] {
  const own = <Value>(read: (row: MarkerRow) => Value): (Value | null)[] =>
    rows.map((row) => (row.overlap ? null : read(row)))
  const markers = markerColumns(rows)
  return [
    topic,
    partition,
    arrayText(markers.eventIds),
    `{${markers.offsets.join(',')}}`,
    `{${rows.map(({ event }) => event.record.timestamp).join(',')}}`,
    reads.key ? arrayText(own(({ event }) => textOf(event.record.key))) : NULLS,
    arrayText(own(({ event }) => textOf(event.record.value))),
    reads.headers ? arrayText(own(({ event }) => headersOf(event.record.headers ?? {}))) : NULLS,
    group,
    arrayText(markers.markerDays),
    numberArrayText(markers.valueCrc32s),
    `{${markers.overlaps.join(',')}}`,
    rows.some(({ secondDay }) => secondDay !== null) ? arrayText(own(({ secondDay }) => secondDay)) : NULLS,
  ]
}

/** `unnest` fills the shorter arrays up with nulls, so a column without a value need not be written out. */
const NULLS = '{}'

function textOf(bytes: Buffer | null): string | null {
  return bytes === null ? null : bytes.toString('utf8')
}

function headersOf(headers: NonNullable<Event['record']['headers']>): string {
  return JSON.stringify(decodeHeaders(headers))
}
