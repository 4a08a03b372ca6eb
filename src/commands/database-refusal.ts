import { complaintOf } from '../postgres/sqlstate.ts'
import { RefusedError } from './refused-error.ts'

/** What each answer to a connection means, and what a person can do. SQLSTATE or system code. */
const FOUND: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there. Start PostgreSQL, or name another place in',
  ENOTFOUND: 'there is no such host. Correct it in',
  EAI_AGAIN: 'the name of the host could not be looked up. Correct it in',
  ETIMEDOUT: 'no answer. Correct the address in',
  ECONNRESET: 'the connection was cut. Look at what stands between, or correct the address in',
  ENOENT: 'there is no such socket. Correct the path in',
  '28P01': 'the password was refused. Correct it in',
  '28000': 'the role was refused. Correct it in',
  '3D000': 'there is no such database. Create it, or name another in',
  '42501':
    'the role may not look into the schema. Give it its rights (`daymark migrate --print-grants`), or name another role in',
  '53300': 'it has no connection left. Raise max_connections, or use another server in',
  '57P03': 'it is starting up or shutting down. Try again in a moment, or use another server in',
}

/** The sentence for a database that cannot be used from the start. `variables` are where its address comes from. */
export function databaseRefusal(address: string, variables: string, error: unknown): RefusedError {
  const complaint = complaintOf(error)
  const code = complaint?.sqlstate ?? complaint?.systemCode ?? null
  const meaning = code === null ? undefined : FOUND[code]
  const message = error instanceof Error ? error.message : String(error)
  const found = meaning ?? `${message}. Look at`
  const codeText = code === null ? '' : ` (${code})`
  return new RefusedError(`connecting to PostgreSQL at ${address}: ${found} ${variables}${codeText}.`, {
    cause: error,
  })
}
