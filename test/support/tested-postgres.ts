import type { LocalPostgresOptions } from '../../src/local/local-postgres.ts'

/** Which PostgreSQL the tests run on. */
export type TestedPostgres = Pick<LocalPostgresOptions, 'binaries' | 'wrapper'> & {
  readonly parameters: readonly string[]
}

/**
 * The PostgreSQL that `npm run test:postgres` or `test/system/localized-server.test.ts` asks for by these variables;
 * without them the one that `npm ci` brings. A language is taken from LANGUAGE, which any locale but C heeds.
 */
export function testedPostgres(): TestedPostgres {
  const { DAYMARK_TEST_POSTGRES_BINARIES: binaries, DAYMARK_TEST_POSTGRES_LANGUAGE: language } = process.env
  return {
    parameters: language === undefined ? [] : ['lc_messages=C.UTF-8'],
    ...(language === undefined ? {} : { wrapper: ['env', `LANGUAGE=${language}`] }),
    ...(binaries === undefined ? {} : { binaries }),
  }
}
