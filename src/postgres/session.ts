import type pg from 'pg'
import type { Answer, Queryable } from './queryable.ts'
import { isSessionLost } from './sqlstate.ts'

/** One connection. Statements that are not awaited are sent at once, in order, where its pool pipelines. */
export interface Session extends Queryable {
  /** The process id of the backend, as `pg_stat_activity` shows it. */
  readonly pid: number
  /** Says that this connection must not be used again, and why. */
  discard(error: Error): void
  /** Cuts the connection now: what is under way on it fails. */
  destroy(error: Error): void
}

/** What `pg` has and its types do not. */
type Internals = { readonly processID: number; readonly connection: { readonly stream: { destroy(): void } } }

/**
 * A client as a session. `hear` learns what ended it: an error that the server answers as its last word may come
 * before the socket closes, and the connection must not be lent once more in between.
 */
export function sessionOf(
  client: pg.ClientBase,
  inSchema: (text: string) => string,
  hear: (error: Error) => void,
): Session {
  const internals = client as unknown as Internals
  return {
    pid: internals.processID,
    query<Row>(text: string, values?: readonly unknown[]): Promise<Answer<Row>> {
      const answer = client.query(inSchema(text), values as unknown[]) as unknown as Promise<Answer<Row>>
      answer.catch((error) => {
        if (isSessionLost(error)) hear(error)
      })
      return answer
    },
    discard: hear,
    destroy(error) {
      hear(error)
      internals.connection.stream.destroy()
    },
  }
}
