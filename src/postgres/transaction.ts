import type { Queryable } from './queryable.ts'
import type { Session } from './session.ts'

/** COMMIT answered with another tag: the transaction had failed before, and nothing of it was kept. */
export class CommitRefusedError extends Error {
  override readonly name = 'CommitRefusedError'
  readonly code = 'COMMIT_REFUSED'
  readonly tag: string

  constructor(tag: string) {
    super(`committing the transaction: the database answered ${tag}, so nothing of it was kept`)
    this.tag = tag
  }
}

/** Opens a transaction. Not awaited, it is sent together with the statement that follows. */
export function begin(session: Queryable): Promise<unknown> {
  return session.query('begin isolation level read committed')
}

/**
 * Commits, and believes it only by its command tag: COMMIT of a failed transaction answers ROLLBACK, without an error.
 * An error of the connection here leaves the outcome unknown.
 */
export async function commit(session: Queryable): Promise<void> {
  const { command } = await session.query('commit')
  if (command !== 'COMMIT') throw new CommitRefusedError(command)
}

/** Gives a transaction up. A session that cannot even do that is not used again. */
export async function rollback(session: Session): Promise<void> {
  try {
    await session.query('rollback')
  } catch (error) {
    session.discard(error as Error)
  }
}
