import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../src/local/free-port.ts'
import { type LocalKafka, startLocalKafka } from '../../src/local/local-kafka.ts'
import { type LocalPostgres, startLocalPostgres } from '../../src/local/local-postgres.ts'
import { migrateJobs } from '../../src/maintenance/scheduler.ts'
import { openDirectSession } from '../../src/postgres/direct-session.ts'
import { migrateSchema } from '../../src/postgres/migrate.ts'
import { makeRunDirectory } from './run-directory.ts'
import { testedPostgres } from './tested-postgres.ts'

/** Kafka's jars are kept between runs; everything else of a run lies in a folder that goes with it. */
export const JAR_DIRECTORY = fileURLToPath(new URL('../../.daymark', import.meta.url))

let directory: string | undefined
let postgres: LocalPostgres | undefined
let kafka: LocalKafka | undefined

/** Starts one PostgreSQL and one Kafka for the whole run, and migrates the template that test databases are cloned from. */
export async function globalSetup(): Promise<void> {
  directory = makeRunDirectory()
  const tested = testedPostgres()
  postgres = await startLocalPostgres({
    ...tested,
    directory: join(directory, 'postgres'),
    port: await freePort(),
    parameters: [
      'fsync=off',
      'max_connections=300',
      'max_prepared_transactions=10',
      'wal_level=logical',
      ...tested.parameters,
    ],
  })
  kafka = await startLocalKafka({
    directory: join(directory, 'kafka'),
    jarDirectory: JAR_DIRECTORY,
    port: await freePort(),
    controllerPort: await freePort(),
  })
  await makeTemplate(postgres)
  process.env.DAYMARK_TEST_POSTGRES = postgres.urlOf('postgres')
  process.env.DAYMARK_TEST_KAFKA = kafka.broker
}

export async function globalTeardown(): Promise<void> {
  await Promise.all([kafka?.stop(), postgres?.stop()])
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
}

async function makeTemplate(server: LocalPostgres): Promise<void> {
  await using session = await openDirectSession({
    url: server.urlOf('postgres'),
    schema: 'daymark',
    poolSize: 1,
    applicationName: 'daymark:test-setup',
  })
  await session.query('create database daymark_template')
  const settings = {
    url: server.urlOf('daymark_template'),
    schema: 'daymark',
    poolSize: 2,
    applicationName: 'daymark:test-setup',
  }
  await migrateSchema(settings)
  await migrateJobs(settings)
}
