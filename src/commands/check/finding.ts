/** What `check` looks at, in the order of its answer. */
export type CheckName =
  | 'migration'
  | 'connection'
  | 'role'
  | 'clock'
  | 'runway'
  | 'fence'
  | 'detach'
  | 'runs'
  | 'retention'
  | 'topic'
  | 'plan'
  | 'grants'
  | 'probe'
  | 'lost-records'
  | 'dead-letters'

/** What one check found. `advice` is null where nothing has to be done. */
export type Finding = {
  readonly check: CheckName
  /** The table, role, topic or group that it is about. */
  readonly subject: string
  readonly ok: boolean
  readonly found: string
  readonly advice: string | null
}

/** A finding that all is well. */
export function fine(check: CheckName, subject: string, found: string): Finding {
  return { check, subject, ok: true, found, advice: null }
}

/** A finding that somebody should act on. */
export function attention(check: CheckName, subject: string, found: string, advice: string): Finding {
  return { check, subject, ok: false, found, advice }
}
