/**
 * Where a record stands in its producer's own numbering: `PRODUCER/SESSION/NUMBER`. Numbers count from 1 in each topic
 * partition; a session is one run of the producer, and a later one has a larger number, so that a restart can be told
 * from a repeat.
 */
export type Sequence = {
  readonly producer: string
  readonly session: number
  readonly number: number
}

const SEQUENCE = /^([^/\0]{1,100})\/(\d{1,15})\/(\d{1,15})$/

/** The header's text. The producer's name has 1 to 100 characters and no slash. */
export function sequenceText({ producer, session, number }: Sequence): string {
  return `${producer}/${session}/${number}`
}

/** Reads the header's text; null where it is no such text. */
export function parseSequence(text: string): Sequence | null {
  const found = SEQUENCE.exec(text)
  const [, producer, session, number] = found ?? []
  if (producer === undefined || !producer.isWellFormed() || Number(number) < 1) return null
  return { producer, session: Number(session), number: Number(number) }
}
