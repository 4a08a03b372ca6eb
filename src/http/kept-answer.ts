import { createHash } from 'node:crypto'

/** What a reader gets: the answer as JSON, and how old it is. */
export type KeptAnswer = {
  readonly body: string
  /** Changes exactly when the body does. */
  readonly etag: string
  readonly readAtMs: number
}

/** The last good answer, null before the first; and why it could not be renewed, null where it was. */
export type Found = { readonly kept: KeptAnswer | null; readonly complaint: string | null }

/** How answers are kept. */
export type Keeping = {
  /** One reading serves every reader for this long. */
  readonly freshMs: number
  /** A source that takes longer is left to go on, and the reader gets the last good answer meanwhile. */
  readonly patienceMs: number
  readonly nowMs: () => number
}

/**
 * Reads on demand, once for all readers, and keeps the last good answer: with the database away a reader is shown what
 * was last known and told how old that is.
 */
export function keepAnswer(read: () => Promise<object>, keeping: Keeping): () => Promise<Found> {
  let kept: KeptAnswer | null = null
  let complaint: string | null = null
  let triedAtMs = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null

  async function renew(): Promise<void> {
    try {
      const body = JSON.stringify({ schemaVersion: 1, ...(await read()) })
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
      kept = { body, etag, readAtMs: keeping.nowMs() }
      complaint = null
    } catch (error) {
      complaint = error instanceof Error ? error.message : String(error)
    }
    triedAtMs = keeping.nowMs()
    reading = null
  }

  return async () => {
    if (keeping.nowMs() - triedAtMs < keeping.freshMs) return { kept, complaint }
    reading ??= renew()
    if (await isLate(reading, keeping.patienceMs))
      return { kept, complaint: complaint ?? `no answer within ${keeping.patienceMs} ms` }
    return { kept, complaint }
  }
}

async function isLate(reading: Promise<void>, patienceMs: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(true), patienceMs)
  try {
    return await Promise.race([reading.then(() => false), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
