/**
 * What the database said, as values: decisions are made by these, never by the wording, which is translated on a
 * localized server. Codes: https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
export type DatabaseComplaint = {
  /** SQLSTATE, five characters; null where the connection itself failed. */
  readonly sqlstate: string | null
  /** A system error of the connection, such as ECONNREFUSED. */
  readonly systemCode: string | null
  readonly table: string | null
  readonly constraint: string | null
  readonly message: string
}

/** What sockets and the resolver fail with. Others, such as ENOENT, are of a handler's files. */
const NETWORK_CODE = /^(?:ECONN[A-Z]+|EHOST[A-Z]+|ENET[A-Z]+|ENOTCONN|ENOTFOUND|EAI_[A-Z]+|EPIPE|ETIMEDOUT)$/

/** Reads what an error says of the database; null where it did not come from there. */
export function complaintOf(error: unknown): DatabaseComplaint | null {
  if (!(error instanceof Error)) return null
  const facts = error as Error &
    Partial<Record<'code' | 'table' | 'constraint' | 'severity' | 'syscall', unknown>>
  const code = typeof facts.code === 'string' ? facts.code : null
  const fromServer = code !== null && facts.severity !== undefined && /^[0-9A-Z]{5}$/.test(code)
  // A connect that fails has all sorts of codes: ENOENT, where there is no such Unix socket.
  const fromSystem = code !== null && (NETWORK_CODE.test(code) || facts.syscall === 'connect')
  if (!fromServer && !fromSystem && !isConnectionLoss(error)) return null
  return {
    sqlstate: fromServer ? code : null,
    systemCode: fromSystem ? code : null,
    table: typeof facts.table === 'string' ? facts.table : null,
    constraint: typeof facts.constraint === 'string' ? facts.constraint : null,
    message: error.message,
  }
}

/** Whether the connection has ended with this error, or is about to: a server's last word comes before its socket closes. */
export function isSessionLost(error: unknown): boolean {
  const complaint = complaintOf(error)
  if (complaint === null) return false
  return complaint.sqlstate === null || /^(08|57P0|25P03|25P04)/.test(complaint.sqlstate)
}

export function sqlstateOf(error: unknown): string | null {
  return complaintOf(error)?.sqlstate ?? null
}

/**
 * `pg` gives a lost connection no code. These are the only texts of a library that are judged, here and nowhere
 * else; a test makes each happen, so that a version which words them otherwise is noticed.
 */
function isConnectionLoss(error: Error): boolean {
  return (
    error.message === 'Connection terminated unexpectedly' ||
    error.message === 'Connection terminated' ||
    error.message === 'Connection terminated due to connection timeout' ||
    error.message === 'timeout expired' ||
    error.message === 'timeout exceeded when trying to connect' ||
    error.message === 'Client has encountered a connection error and is not queryable' ||
    error.message === 'Client was closed and is not queryable' ||
    error.message === 'Cannot use a pool after calling end on the pool'
  )
}

export const SQLSTATE = {
  checkViolation: '23514',
  invalidColumnReference: '42P10',
  uniqueViolation: '23505',
  duplicateTable: '42P07',
  duplicateObject: '42710',
  undefinedTable: '42P01',
  undefinedObject: '42704',
  wrongObjectType: '42809',
  datatypeMismatch: '42804',
  invalidObjectDefinition: '42P17',
  insufficientPrivilege: '42501',
  objectNotInPrerequisiteState: '55000',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  adminShutdown: '57P01',
  deadlockDetected: '40P01',
  serializationFailure: '40001',
  readOnlyTransaction: '25006',
  activeTransaction: '25001',
  dependentObjects: '2BP01',
  /** Raised by daymark's lock_progress: the database has forgotten commits. */
  progressBehind: 'DM001',
  /** Raised by daymark's lock_progress: there is no progress row. */
  progressMissing: 'DM002',
} as const
