/** What a statement answered. `command` is the tag of its last command: `COMMIT` may answer `ROLLBACK`. */
export type Answer<Row> = {
  readonly rows: Row[]
  readonly rowCount: number | null
  readonly command: string
}

/**
 * Anything that can run one statement: a database, a session, a transaction.
 *
 * daymark's own statements name their tables `daymark.…`; where another schema is configured, it is put in that
 * place when the statement is sent. Values that leave as `date` or `timestamptz` are cast in the statement, so that
 * nothing depends on the session's DateStyle or TimeZone, also behind PgBouncer, which carries neither.
 */
export interface Queryable {
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Answer<Row>>
}
