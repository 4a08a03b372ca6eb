import type { ConsumerFigures } from '../cases/run-consumer-case.ts'
import { numbersTable } from './numbers-table.ts'

/** The figures for people, each rate beside its ratio to that of the first case. */
export function consumerTable(cases: readonly (ConsumerFigures & { readonly name: string })[]): string {
  const first = cases[0]?.eventsPerSecond ?? Number.NaN
  return numbersTable(
    ['case', 'events', 'events/s', 'ratio', 'p50 ms', 'p99 ms', 'peak RSS MB'],
    cases.map(({ name, events, eventsPerSecond, p50Ms, p99Ms, peakRssMb }) => [
      name,
      String(events),
      eventsPerSecond.toFixed(0),
      `${(eventsPerSecond / first).toFixed(1)}x`,
      p50Ms.toFixed(1),
      p99Ms.toFixed(1),
      peakRssMb.toFixed(0),
    ]),
  )
}
