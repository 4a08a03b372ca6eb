import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { boundCommand } from './bound-command.ts'
import { LocalServerError } from './local-error.ts'
import { type ProgramOutcome, runProgram } from './run-program.ts'

export const KAFKA_VERSION = '4.3.1'

/**
 * Brings Kafka's jars by Maven, once, and returns their folder. They are fetched aside and renamed: a download that
 * was cut off leaves nothing that looks complete. `report` hears how far it is.
 */
export async function fetchKafkaJars(
  directory: string,
  report: (sentence: string) => void,
  signal: AbortSignal | undefined,
): Promise<string> {
  const jars = join(directory, `kafka-${KAFKA_VERSION}`)
  if (existsSync(jars)) return jars
  await requireMaven()
  report(`fetching Apache Kafka ${KAFKA_VERSION} by Maven into ${jars}: 45 files, 44 MB, the first time only`)
  removeAbandoned(directory)
  const staging = `${jars}.pid${process.pid}`
  mkdirSync(staging, { recursive: true })
  try {
    writeFileSync(join(staging, 'pom.xml'), POM)
    const fetched = await runMaven(staging, report, signal)
    if (fetched.outcome !== 'done') throw failedFetch(fetched)
    moveInPlace(staging, jars)
    return jars
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/** What processes left that were killed while they fetched: they had put their ids behind the name. */
function removeAbandoned(directory: string): void {
  if (!existsSync(directory)) return
  for (const name of readdirSync(directory)) {
    const pid = /^kafka-[\d.]+\.pid(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(directory, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, and is somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function requireMaven(): Promise<void> {
  const { outcome } = await runProgram(['mvn', '--version'])
  if (outcome === 'done') return
  throw new LocalServerError(
    `fetching Apache Kafka ${KAFKA_VERSION}: no Maven was found. ` +
      'Install it and have `mvn` on the PATH, or set KAFKA_BROKERS to use a Kafka that you have.',
  )
}

async function runMaven(
  staging: string,
  report: (sentence: string) => void,
  signal: AbortSignal | undefined,
): Promise<ProgramOutcome> {
  const command = await boundCommand('KILL', [
    'mvn',
    '--batch-mode',
    `--file=${join(staging, 'pom.xml')}`,
    'dependency:copy-dependencies',
    `-DoutputDirectory=${staging}`,
    '-DincludeScope=runtime',
  ])
  let fetched = 0
  let reportedAtMs = Date.now()
  return runProgram(command, {
    signal,
    onOutput(piece) {
      fetched += piece.match(/Downloaded .*\.jar/g)?.length ?? 0
      if (Date.now() - reportedAtMs < 2_000) return
      reportedAtMs = Date.now()
      report(`fetching Apache Kafka ${KAFKA_VERSION}: ${fetched} files so far, Maven's own among them`)
    },
  })
}

function failedFetch({ stdout, stderr }: ProgramOutcome): LocalServerError {
  const complaint = `${stdout}\n${stderr}`.split('\n').find((line) => line.includes('ERROR'))
  return new LocalServerError(
    `fetching Apache Kafka ${KAFKA_VERSION}: Maven ended with "${complaint?.trim() ?? 'no complaint'}". ` +
      'Mend that, or set KAFKA_BROKERS to use a Kafka that you have.',
  )
}

function moveInPlace(staging: string, jars: string): void {
  try {
    renameSync(staging, jars)
  } catch (error) {
    // Another process was faster; its jars are the same.
    if (!existsSync(jars)) throw error
  }
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>daymark</groupId>
  <artifactId>local-kafka</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>${KAFKA_VERSION}</version>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-simple</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
`
