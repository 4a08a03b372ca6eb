import { LocalServerError } from './local-error.ts'
import { runProgram } from './run-program.ts'

/** The oldest Java that Kafka 4 runs on. https://kafka.apache.org/43/operations/java-version/ */
const OLDEST = 17

/** Makes sure that there is a Java that Kafka runs on. */
export async function requireJava(): Promise<void> {
  const { outcome, stderr } = await runProgram(['java', '-version'])
  if (outcome !== 'done') throw refusal('no Java was found')
  const release = javaRelease(stderr)
  if (release !== null && release < OLDEST)
    throw refusal(`Java ${release} was found, and Kafka needs ${OLDEST}`)
}

/** The release in what `java -version` prints: 17 in `openjdk version "17.0.15"`, 8 in `java version "1.8.0_412"`. */
export function javaRelease(text: string): number | null {
  const found = /version "(?:1\.)?(\d+)/.exec(text)
  return found === null ? null : Number(found[1])
}

function refusal(found: string): LocalServerError {
  return new LocalServerError(
    `starting Kafka: ${found}. ` +
      `Install a Java ${OLDEST} runtime and have \`java\` on the PATH, ` +
      'or set KAFKA_BROKERS to use a Kafka that you have.',
  )
}
