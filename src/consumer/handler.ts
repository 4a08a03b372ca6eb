import type { Answer } from '../postgres/queryable.ts'
import type { DecodedHeaders } from './decode-headers.ts'

/** An event as a handler sees it. */
export type HandlerEvent = {
  readonly eventId: string
  readonly topic: string
  readonly partition: number
  /** Decimal text. */
  readonly offset: string
  readonly recordTimestamp: Date
  /** 'YYYY-MM-DD', the UTC day the event is marked in. */
  readonly markerDay: string
  readonly key: string | null
  /** The value, parsed as JSON; null for a tombstone. */
  readonly value: unknown
  /** As text; an array where a header has several values, null where it has none. */
  readonly headers: DecodedHeaders
}

/** The transaction of the batch: what is written through it commits with the markers, or not at all. */
export type HandlerTransaction = {
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Answer<Row>>
}

/** Gets the new events of a batch, in the order of their offsets. The fast form: one statement for all of them. */
export type BatchHandler = {
  apply(events: readonly HandlerEvent[], tx: HandlerTransaction): Promise<void>
}

/** Gets one new event at a time, in the order of their offsets. */
export type EachHandler = {
  applyEach(event: HandlerEvent, tx: HandlerTransaction): Promise<void>
}

/** What turns events into effects: code, or one SQL statement that reads `events`. */
export type Handler =
  | { readonly kind: 'batch'; readonly apply: BatchHandler['apply'] }
  | { readonly kind: 'each'; readonly applyEach: EachHandler['applyEach'] }
  | { readonly kind: 'sql'; readonly text: string }

/** Makes a handler of one of the two forms. Anything else is refused with a TypeError that names what was found. */
export function defineHandler(definition: BatchHandler | EachHandler): Handler {
  const { apply, applyEach } = (definition ?? {}) as Partial<BatchHandler & EachHandler>
  if (typeof apply === 'function' && applyEach === undefined) {
    return { kind: 'batch', apply: (events, tx) => apply.call(definition, events, tx) }
  }
  if (typeof applyEach === 'function' && apply === undefined) {
    return { kind: 'each', applyEach: (event, tx) => applyEach.call(definition, event, tx) }
  }
  throw new TypeError(
    `expected a handler with one of the functions apply(events, tx) or applyEach(event, tx), got ${describe(definition)}`,
  )
}

function describe(definition: unknown): string {
  if (typeof definition !== 'object' || definition === null) return String(definition)
  return `an object with ${Object.keys(definition).join(', ') || 'no properties'}`
}
