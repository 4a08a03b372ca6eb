import type { LocalPostgresOptions } from '../../src/local/local-postgres.ts'

/** The PostgreSQL that `npm run test:postgres` asks for; nothing where it is the one that `npm ci` brings. */
export function postgresVersion(): Pick<LocalPostgresOptions, 'binaries'> {
  const binaries = process.env.DAYMARK_TEST_POSTGRES_BINARIES
  return binaries === undefined ? {} : { binaries }
}
