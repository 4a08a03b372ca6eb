import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../src/local/free-port.ts'
import { startLocalKafka } from '../../src/local/local-kafka.ts'
import { startLocalPostgres } from '../../src/local/local-postgres.ts'

/** The jars are kept between runs; all else that a benchmark makes goes with it. */
const JAR_DIRECTORY = fileURLToPath(new URL('../../.daymark', import.meta.url))

/** A server of this benchmark alone, ended when it is disposed. */
export type BenchPostgres = AsyncDisposable & { urlOf(database: string): string }
export type BenchKafka = AsyncDisposable & { readonly broker: string }

/** A folder that is removed at the end, beneath the system's temporary one or another. */
export function makeBenchDirectory(parent: string | null): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(parent ?? tmpdir(), `daymark-bench-${randomBytes(2).toString('hex')}-`))
  // The user that PostgreSQL runs as must pass through it.
  chmodSync(path, 0o755)
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** PostgreSQL as it comes: every setting that bears on speed or safety has its default. */
export async function startBenchPostgres(directory: string, signal: AbortSignal): Promise<BenchPostgres> {
  const server = await startLocalPostgres({
    directory: join(directory, 'postgres'),
    port: await freePort(),
    signal,
  })
  return { urlOf: server.urlOf, [Symbol.asyncDispose]: () => server.stop() }
}

export async function startBenchKafka(
  directory: string,
  signal: AbortSignal,
  report: (sentence: string) => void,
): Promise<BenchKafka> {
  const server = await startLocalKafka({
    directory: join(directory, 'kafka'),
    jarDirectory: JAR_DIRECTORY,
    port: await freePort(),
    controllerPort: await freePort(),
    report,
    signal,
  })
  return { broker: server.broker, [Symbol.asyncDispose]: () => server.stop() }
}
