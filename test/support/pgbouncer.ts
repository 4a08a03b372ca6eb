import { writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/local/free-port.ts'
import { startServerProcess } from '../../src/local/server-process.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import type { DatabaseSettings } from '../../src/postgres/database-settings.ts'
import { makeScratchDirectory } from './scratch-directory.ts'

/** A PgBouncer in transaction mode, in front of the database of these settings. */
export type Pgbouncer = AsyncDisposable & {
  /** The same database, by way of PgBouncer. */
  readonly settings: DatabaseSettings
}

/** Starts it with so many connections to the server; clients may be any number. */
export async function startPgbouncer(database: DatabaseSettings, poolSize: number): Promise<Pgbouncer> {
  const scratch = makeScratchDirectory()
  const port = await freePort()
  const file = join(scratch.path, 'pgbouncer.ini')
  writeFileSync(file, configuration(new URL(database.url ?? ''), port, poolSize))
  const url = new URL(database.url ?? '')
  url.port = String(port)
  const settings = { ...database, url: url.href }
  const server = await startServerProcess({
    name: 'PgBouncer',
    // Debian keeps it where only root looks.
    command: ['env', `PATH=${process.env.PATH}:/usr/sbin`, 'pgbouncer', file],
    directory: scratch.path,
    logFile: join(scratch.path, 'pgbouncer.log'),
    deathSignal: 'KILL',
    ready: () => answers(settings),
    readyTimeoutMs: 15_000,
  })
  return {
    settings,
    async [Symbol.asyncDispose]() {
      await server.stop('SIGTERM', 5_000)
      scratch[Symbol.dispose]()
    },
  }
}

function configuration(
  { hostname, port, username, password }: URL,
  ownPort: number,
  poolSize: number,
): string {
  return `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
${userInfo().uid === 0 ? 'user = nobody' : ''}
`
}

async function answers(settings: DatabaseSettings): Promise<boolean> {
  await using pool = openDatabase({ ...settings, poolSize: 1 }, () => undefined)
  return pool.query('select 1').then(
    () => true,
    // Not yet; the starter gives up when its time is over.
    () => false,
  )
}
