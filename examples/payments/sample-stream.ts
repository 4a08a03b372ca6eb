import type { RecordToSend } from '../../src/kafka/kafka-producer.ts'

/** A made-up stream of payments, as a producer with a bad network and a few bugs would write it. */
export type SampleStream = {
  /** The records that have become due since the last call, in order, each with its timestamp. */
  recordsUntil(nowMs: number): RecordToSend[]
}

export type SampleStreamOptions = {
  /** Numbers from 0 up to but not including 1. */
  readonly random: () => number
  readonly startedAtMs: number
  /** Records a second outside of bursts. */
  readonly perSecond: number
}

/** Sent again at once with the same timestamp, as a producer does whose acknowledgement got lost. */
const REPEATED = 0.0015
/** Published again later, as a new record with a new timestamp. */
const REPUBLISHED = 0.0015
/** Broken in one of three ways. */
const BROKEN = 0.0002

/** Three seconds of each minute bring five times as much. */
const BURST = { everyMs: 60_000, fromMs: 20_000, untilMs: 23_000, factor: 5 } as const

const ACCOUNTS = 1_000
/** How many of the last payments may be published again. */
const REMEMBERED = 2_000

/** Makes the stream. It reads no clock and tosses no coin of its own: the same calls give the same records. */
export function createSampleStream({ random, startedAtMs, perSecond }: SampleStreamOptions): SampleStream {
  const remembered: RecordToSend[] = []
  let reachedMs = startedAtMs
  let owed = 0
  let broken = 0

  function nextRecord(timestampMs: number): RecordToSend {
    const draw = random()
    const last = remembered.at(-1)
    if (draw < BROKEN) return brokenRecord(broken++, timestampMs, random)
    if (draw < BROKEN + REPEATED && last !== undefined) return last
    const earlier = remembered[Math.floor(random() * remembered.length)]
    if (draw < BROKEN + REPEATED + REPUBLISHED && earlier !== undefined) return { ...earlier, timestampMs }
    const record = payment(timestampMs, random)
    remembered.push(record)
    if (remembered.length > REMEMBERED) remembered.shift()
    return record
  }

  return {
    recordsUntil(nowMs) {
      // After a pause, of the machine or of the broker, the stream goes on; it does not make up for hours at once.
      const fromMs = Math.max(reachedMs, nowMs - 1_000)
      if (nowMs <= fromMs) return []
      owed += ((nowMs - fromMs) / 1_000) * perSecond * factorAt(fromMs - startedAtMs)
      const count = Math.floor(owed)
      owed -= count
      reachedMs = nowMs
      return Array.from({ length: count }, (_, index) =>
        nextRecord(Math.floor(fromMs + ((nowMs - fromMs) * (index + 1)) / count)),
      )
    },
  }
}

function factorAt(elapsedMs: number): number {
  const inMinuteMs = elapsedMs % BURST.everyMs
  return inMinuteMs >= BURST.fromMs && inMinuteMs < BURST.untilMs ? BURST.factor : 1
}

function payment(timestampMs: number, random: () => number): RecordToSend {
  const account = `acct_${Math.floor(random() * ACCOUNTS)}`
  const amountCents = 1 + Math.floor(random() * 500_000)
  return {
    key: account,
    value: JSON.stringify({ account, amountCents }),
    headers: { 'event-id': uuidV7(timestampMs, random) },
    timestampMs,
  }
}

/** In turn: no id, an id that is no UTF-8, a value that is cut off. */
function brokenRecord(number: number, timestampMs: number, random: () => number): RecordToSend {
  const whole = payment(timestampMs, random)
  if (number % 3 === 0) return { ...whole, headers: {} }
  if (number % 3 === 1)
    return { ...whole, headers: { 'event-id': Buffer.from([0x65, 0x76, 0x74, 0xff, 0xfe]) } }
  return { ...whole, value: String(whole.value).slice(0, -4) }
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
