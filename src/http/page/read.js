const PATIENCE_MS = 8_000

/**
 * Reads one answer of the server. `atMs` is when it was true, by this browser's clock.
 * @param {string} name
 */
export async function read(name) {
  const response = await fetch(`api/v1/${name}`, {
    signal: AbortSignal.timeout(PATIENCE_MS),
    cache: 'no-cache',
  })
  const answer = await response.json().catch(() => ({ complaint: `the server answered ${response.status}` }))
  if (!response.ok) throw new Error(answer.complaint ?? `the server answered ${response.status}`)
  const complaint = response.headers.get('x-daymark-complaint')
  return {
    answer,
    atMs: Date.now() - Number(response.headers.get('age') ?? 0) * 1000,
    complaint: complaint === null ? null : decodeURIComponent(complaint),
  }
}
