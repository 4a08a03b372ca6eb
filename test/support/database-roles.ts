import { randomBytes } from 'node:crypto'
import type { DatabaseSettings } from '../../src/postgres/database-settings.ts'
import { onServer, type TestDatabase } from './test-database.ts'

const PASSWORD = 'secret'

/** Roles as `migrate --print-grants` makes them, under names of this test alone, because roles belong to the server. */
export type DatabaseRoles = AsyncDisposable & {
  readonly migrator: string
  readonly worker: string
  readonly consumer: string
  /** The printed script with these names in it. */
  rename(script: string): string
  /** Lets them sign in. */
  setPasswords(): Promise<void>
  settingsOf(role: string): DatabaseSettings
}

/** Names for the roles of a database; those that were made are dropped at the end, with all that they own. */
export function nameRoles(db: TestDatabase): DatabaseRoles {
  const prefix = `r_${randomBytes(4).toString('hex')}`
  const names = { migrator: `${prefix}_migrator`, worker: `${prefix}_worker`, consumer: `${prefix}_consumer` }
  return {
    ...names,
    rename: (script) => script.replaceAll(/\bdaymark_(migrator|worker|consumer)\b/g, `${prefix}_$1`),
    async setPasswords() {
      for (const name of Object.values(names))
        await db.database.query(`alter role ${name} password '${PASSWORD}'`)
    },
    settingsOf(role) {
      const url = new URL(db.settings.url ?? '')
      url.username = role
      url.password = PASSWORD
      return { ...db.settings, url: url.href }
    },
    async [Symbol.asyncDispose]() {
      // The database goes first: what they own goes with it.
      const server = process.env.DAYMARK_TEST_POSTGRES ?? ''
      for (const name of Object.values(names)) {
        await onServer(db.settings.url ?? '', `drop owned by ${name} cascade`)
        await onServer(server, `drop role ${name}`)
      }
    },
  }
}
