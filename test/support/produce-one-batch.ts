import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { fetchKafkaJars } from '../../src/local/kafka-jars.ts'
import { JAR_DIRECTORY } from './servers.ts'
import { testKafka } from './test-topic.ts'

const SOURCE = fileURLToPath(new URL('./ProduceOneBatch.java', import.meta.url))

/** Writes records with a key and no value into partition 0 as one record batch, by Kafka's own Java client. */
export async function produceOneBatch(topic: string, count: number): Promise<void> {
  const jars = await fetchKafkaJars(JAR_DIRECTORY, () => undefined, undefined)
  const [broker = ''] = testKafka().brokers
  await promisify(execFile)('java', ['-cp', join(jars, '*'), SOURCE, broker, topic, String(count)])
}
