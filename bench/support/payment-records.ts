import type { RecordToSend } from '../../src/kafka/kafka-producer.ts'

/** How many partitions the topic has, unless said otherwise. */
export const PARTITIONS = 4

const ACCOUNTS = 1_000
/** A payment in ten milliseconds is one of 300,000 in fifty minutes. */
const MS_BETWEEN = 10

/**
 * Noon of yesterday: a day that the migrations make, whole hours from any midnight, so that every payment has one
 * marker, and in the past, because brokers refuse timestamps that lie an hour ahead.
 */
export function firstTimestampOf(nowMs: number): number {
  return Math.floor(nowMs / 86_400_000) * 86_400_000 - 43_200_000
}

/** The payments numbered `from` up to but not including `until`, every id once, spread evenly over the partitions. */
export function paymentRecords(
  from: number,
  until: number,
  firstTimestampMs: number,
  random: () => number,
  partitions = PARTITIONS,
): RecordToSend[] {
  return Array.from({ length: until - from }, (_, index) => {
    const number = from + index
    const timestampMs = firstTimestampMs + number * MS_BETWEEN
    const account = `acct_${Math.floor(random() * ACCOUNTS)}`
    return {
      key: account,
      value: JSON.stringify({ account, amountCents: 1 + Math.floor(random() * 500_000) }),
      headers: { 'event-id': uuidV7(timestampMs, random) },
      partition: number % partitions,
      timestampMs,
    }
  })
}

/** RFC 9562, 5.7: 48 bits of milliseconds, the version, 12 random bits, the variant, 62 random bits. */
function uuidV7(timestampMs: number, random: () => number): string {
  const hex = (digits: number): string =>
    Math.floor(random() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0')
  const time = timestampMs.toString(16).padStart(12, '0')
  const variant = (8 + Math.floor(random() * 4)).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${variant}${hex(3)}-${hex(6)}${hex(6)}`
}
