import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LocalServerError } from './local-error.ts'
import { runProgram } from './run-program.ts'

type StorageOptions = {
  readonly scramCredentials?: readonly string[]
  readonly signal?: AbortSignal
}

/** Prepares the folder of Kafka's logs, once; one that was prepared before is left as it is. */
export async function prepareKafkaStorage(
  java: readonly string[],
  directory: string,
  propertiesFile: string,
  { scramCredentials = [], signal }: StorageOptions,
): Promise<void> {
  if (existsSync(join(directory, 'logs', 'meta.properties'))) return
  const id = readOrMakeClusterId(directory)
  const format = ['kafka.tools.StorageTool', 'format', '-t', id, '-c', propertiesFile, '--ignore-formatted']
  const credentials = scramCredentials.flatMap((credential) => ['--add-scram', credential])
  const formatted = await runProgram([...java, ...format, ...credentials], { signal })
  if (formatted.outcome === 'done') return
  throw new LocalServerError(
    `preparing Kafka in ${directory}: its storage tool ended with ` +
      `"${`${formatted.stdout}${formatted.stderr}`.trim().split('\n').at(-1)}". ` +
      'Mend that, or set KAFKA_BROKERS to use a Kafka that you have.',
  )
}

/** A KRaft cluster id is a UUID in URL-safe base64; the storage tool that makes one takes a second to start. */
function readOrMakeClusterId(directory: string): string {
  const file = join(directory, 'cluster.id')
  if (!existsSync(file)) {
    const bytes = randomBytes(16)
    // The tool would read an id that begins with '-' as an option; a first bit of 0 keeps it from that.
    bytes[0] = (bytes[0] ?? 0) & 0x7f
    writeFileSync(file, bytes.toString('base64url'))
  }
  return readFileSync(file, 'utf8')
}
