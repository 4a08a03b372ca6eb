import { accessSync, chmodSync, constants, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LocalServerError } from './local-error.ts'
import { runProgram } from './run-program.ts'
import { giveTo, type ServerOwner } from './server-owner.ts'

/** The password of the one role, `postgres`. It guards against a mistaken address; against others, loopback does. */
export const PASSWORD = 'daymark'

/** Makes PostgreSQL's data directory, once; one that was made before is left as it is. */
export async function preparePostgresData(
  initdb: string,
  directory: string,
  owner: ServerOwner,
  signal: AbortSignal | undefined,
): Promise<string> {
  const data = join(directory, 'data')
  if (existsSync(data)) requireAccess(data)
  if (existsSync(join(data, 'PG_VERSION'))) return data
  // Made aside and renamed, so that an interrupted initialisation leaves nothing that looks complete.
  const staging = `${data}.new`
  rmSync(staging, { recursive: true, force: true })
  const passwordFile = join(directory, 'password')
  writeFileSync(passwordFile, PASSWORD)
  chmodSync(passwordFile, 0o600)
  giveTo(owner, passwordFile)
  try {
    const command = [
      ...owner.wrapper,
      initdb,
      `--pgdata=${staging}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ]
    const made = await runProgram(command, {
      cwd: directory,
      ...owner.process,
      signal,
    })
    if (made.outcome !== 'done') {
      throw new LocalServerError(
        `preparing PostgreSQL in ${data}: initdb ended with "${made.stderr.trim().split('\n').at(-1)}". ` +
          'Mend that, or set DATABASE_URL to use a PostgreSQL that you have.',
      )
    }
    renameSync(staging, data)
    return data
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

/** Data that another user made, root for one, cannot be taken over. */
function requireAccess(data: string): void {
  try {
    accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new LocalServerError(
      `starting PostgreSQL from ${data}: the data belongs to another user. ` +
        'Run daymark as the user who made it, or remove that folder to begin anew.',
      { cause },
    )
  }
}
