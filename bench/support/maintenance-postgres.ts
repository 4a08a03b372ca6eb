import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../src/local/free-port.ts'
import { PASSWORD, preparePostgresData } from '../../src/local/postgres-data.ts'
import { findServerOwner, giveTo } from '../../src/local/server-owner.ts'
import { startServerProcess } from '../../src/local/server-process.ts'
import { onDatabase } from './bench-database.ts'
import { type BenchPostgres, startBenchPostgres } from './bench-servers.ts'

/** Where Debian's packages `postgresql-15` and `postgresql-15-partman` put what is needed. */
const DEBIAN_BINARIES = '/usr/lib/postgresql/15/bin'
const DEBIAN_PARTMAN = '/usr/share/postgresql/15/extension/pg_partman.control'

export type MaintenancePostgres = BenchPostgres & { readonly hasPartman: boolean }

/**
 * One server for every case. pg_partman comes as a package of Debian's PostgreSQL only; where that is not installed,
 * it is our own PostgreSQL, and that case is left out. Settings are the defaults either way.
 */
export async function startMaintenancePostgres(
  directory: string,
  signal: AbortSignal,
): Promise<MaintenancePostgres> {
  const hasPartman = existsSync(join(DEBIAN_BINARIES, 'postgres')) && existsSync(DEBIAN_PARTMAN)
  const server = hasPartman
    ? await startDebianPostgres(join(directory, 'postgres'), signal)
    : await startBenchPostgres(directory, signal)
  return { ...server, hasPartman }
}

async function startDebianPostgres(directory: string, signal: AbortSignal): Promise<BenchPostgres> {
  const program = join(DEBIAN_BINARIES, 'postgres')
  const port = await freePort()
  mkdirSync(directory)
  const owner = await findServerOwner(program, directory)
  giveTo(owner, directory)
  const data = await preparePostgresData(join(DEBIAN_BINARIES, 'initdb'), directory, owner, signal)
  const urlOf = (database: string): string => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=']
  const server = await startServerProcess({
    name: 'PostgreSQL 15',
    command: [program, '-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    wrapper: owner.wrapper,
    identity: owner.process,
    directory,
    logFile: join(directory, 'postgres.log'),
    deathSignal: 'INT',
    ready: () => answers(urlOf('postgres')),
    readyTimeoutMs: 60_000,
    signal,
  })
  return { urlOf, [Symbol.asyncDispose]: () => server.stop('SIGINT', 10_000) }
}

function answers(url: string): Promise<boolean> {
  return onDatabase(url, (db) => db.query('select 1')).then(
    () => true,
    // Not yet; the starter gives up when its time is over.
    () => false,
  )
}
