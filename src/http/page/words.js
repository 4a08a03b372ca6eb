const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
]

/** A duration in its two largest units: `9 d 4 h`. @param {number} lengthMs */
export function durationText(lengthMs) {
  const first = UNITS.findIndex(([, unitMs]) => lengthMs >= unitMs)
  if (first < 0) return `${Math.max(0, Math.round(lengthMs))} ms`
  let restMs = lengthMs
  const parts = []
  for (const [name, unitMs] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(restMs / unitMs)
    restMs -= count * unitMs
    if (count > 0) parts.push(`${count} ${name}`)
  }
  return parts.join(' ')
}

/** An instant in UTC to the minute. @param {number | null} instantMs */
export function minuteText(instantMs) {
  return instantMs === null
    ? 'never'
    : `${new Date(instantMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** @param {number | string | null} count */
export function countText(count) {
  if (count === null) return 'not known'
  return (typeof count === 'string' ? BigInt(count) : Math.round(count)).toLocaleString('en')
}
