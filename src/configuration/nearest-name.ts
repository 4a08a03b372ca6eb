/**
 * The known name that a wrong one was most likely meant to be: the same last part in another place, or the fewest
 * letters changed, up to a third of them. Null where nothing is near.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  const moved = known.find((candidate) => lastPart(candidate) === lastPart(name))
  if (moved !== undefined) return moved
  let nearest: string | null = null
  let fewest = Math.ceil(name.length / 3) + 1
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < fewest) {
      fewest = distance
      nearest = candidate
    }
  }
  return nearest
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

/** How many letters have to be put in, taken out or replaced (Levenshtein), one row of the table at a time. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
