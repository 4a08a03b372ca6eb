import type { RecordToSend } from '../../src/kafka/kafka-producer.ts'

/** A payment as the examples read it. */
export function payment(
  eventId: string,
  given: {
    readonly timestampMs?: number
    readonly partition?: number
    readonly amountCents?: number
    readonly key?: string
  } = {},
): RecordToSend {
  const { timestampMs, partition, amountCents = 4500, key = 'acct_7' } = given
  return {
    key,
    value: JSON.stringify({ account: key, amountCents }),
    headers: { 'event-id': eventId },
    ...(timestampMs === undefined ? {} : { timestampMs }),
    ...(partition === undefined ? {} : { partition }),
  }
}

/** Ids that sort in the order of their numbers. */
export function eventIds(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, number) => `${prefix}-${String(number).padStart(7, '0')}`)
}
