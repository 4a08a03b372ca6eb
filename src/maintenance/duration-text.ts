const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** A duration as people say it, in its two largest units: `8 d`, `9 d 4 h`, `250 ms`. */
export function durationText(durationMs: number): string {
  const first = UNITS.findIndex(([, unitMs]) => durationMs >= unitMs)
  if (first < 0) return `${Math.round(durationMs)} ms`
  const parts: string[] = []
  let rest = durationMs
  for (const [name, unitMs] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / unitMs)
    rest -= count * unitMs
    if (count > 0) parts.push(`${count} ${name}`)
  }
  return parts.join(' ')
}
