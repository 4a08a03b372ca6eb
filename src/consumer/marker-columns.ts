import type { Candidate } from './candidates.ts'
import type { MarkerColumns } from './sql/insert-markers.ts'

/** One marker to be inserted; `secondDay` stands with the first marker of an event that has two. */
export type MarkerRow = Candidate & { readonly day: string; readonly overlap: boolean }

/** The markers of the candidates, sorted by (event id, day). */
export function markerRows(candidates: readonly Candidate[]): MarkerRow[] {
  const rows: MarkerRow[] = []
  for (const candidate of candidates) {
    rows.push({ ...candidate, day: candidate.event.markerDay, overlap: false })
    if (candidate.secondDay !== null) rows.push({ ...candidate, day: candidate.secondDay, overlap: true })
  }
  return rows.sort(byKey)
}

function byKey(a: MarkerRow, b: MarkerRow): number {
  if (a.event.eventId !== b.event.eventId) return a.event.eventId < b.event.eventId ? -1 : 1
  return a.day < b.day ? -1 : 1
}

export function markerColumns(rows: readonly MarkerRow[]): MarkerColumns {
  return {
    eventIds: rows.map(({ event }) => event.eventId),
    markerDays: rows.map(({ day }) => day),
    offsets: rows.map(({ event }) => event.record.offset),
    valueCrc32s: rows.map(({ event }) => event.valueCrc32),
    overlaps: rows.map(({ overlap }) => overlap),
  }
}
