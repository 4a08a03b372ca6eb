/** How to reach one PostgreSQL database. What is absent, `pg` takes from PG* variables and `.pgpass`. */
export type DatabaseSettings = {
  /** `postgres://user:password@host:port/database`; absent: the PG* variables. */
  readonly url?: string | undefined
  /** The schema of daymark's own tables. */
  readonly schema: string
  /** The most connections this pool opens. */
  readonly poolSize: number
  /** What `pg_stat_activity` shows. */
  readonly applicationName: string
}

export const DEFAULT_SCHEMA = 'daymark'

/** pg-boss keeps a schema of its own beside ours, so that it never meets a pg-boss that the database already has. */
export function jobSchemaOf(schema: string): string {
  return `${schema}_pgboss`
}
