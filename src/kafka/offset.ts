/**
 * An offset is decimal text: Kafka's have 64 bits, a JavaScript number 53. Arithmetic goes by BigInt, here only.
 */
export type Offset = string

/** The offset that follows. */
export function nextAfter(offset: Offset): Offset {
  return (BigInt(offset) + 1n).toString()
}

/** How many offsets lie from `from` up to `until`; 0 where `until` is not later. As a number: a count, not a place. */
export function countBetween(from: Offset, until: Offset): number {
  const count = BigInt(until) - BigInt(from)
  return count > 0n ? Number(count) : 0
}

export function isBefore(a: Offset, b: Offset): boolean {
  return a.length === b.length ? a < b : BigInt(a) < BigInt(b)
}

export function lowerOf(a: Offset, b: Offset): Offset {
  return isBefore(b, a) ? b : a
}

export function higherOf(a: Offset, b: Offset): Offset {
  return isBefore(a, b) ? b : a
}
