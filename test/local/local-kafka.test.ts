import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openKafkaAdmin } from '../../src/kafka/kafka-admin.ts'
import { freePort } from '../../src/local/free-port.ts'
import { startLocalKafka } from '../../src/local/local-kafka.ts'
import { silentLog } from '../../src/process/log.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'
import { JAR_DIRECTORY } from '../support/servers.ts'

test('the next start continues with the topics of the last, also on other ports and after a kill', async () => {
  using scratch = makeScratchDirectory()
  const directory = join(scratch.path, 'kafka')
  const first = await startLocalKafka({ directory, jarDirectory: JAR_DIRECTORY, ...(await freePorts()) })
  await askKafka(first.broker, (admin) => admin.createTopic({ topic: 'kept', partitions: 3 }))
  await first.process.stop('SIGKILL', 0)
  const second = await startLocalKafka({ directory, jarDirectory: JAR_DIRECTORY, ...(await freePorts()) })
  try {
    const marks = await askKafka(second.broker, (admin) => admin.fetchMarks('kept'))
    assert.equal(marks?.length, 3)
  } finally {
    await second.stop()
  }
})

test('a taken port is a sentence, also where it is the one of the controller', async () => {
  using scratch = makeScratchDirectory()
  const { port } = await freePorts()
  const [, broker = '', takenPort = ''] = /^(.*):(\d+)$/.exec(process.env.DAYMARK_TEST_KAFKA ?? '') ?? []
  assert.notEqual(broker, '')
  const options = { directory: join(scratch.path, 'kafka'), jarDirectory: JAR_DIRECTORY }
  for (const ports of [
    { port: Number(takenPort), controllerPort: port },
    { port, controllerPort: Number(takenPort) },
  ]) {
    await assert.rejects(
      startLocalKafka({ ...options, ...ports }),
      new RegExp(`starting Kafka on 127\\.0\\.0\\.1:${takenPort}: the port is taken\\. .* set KAFKA_BROKERS`),
    )
  }
})

async function freePorts(): Promise<{ port: number; controllerPort: number }> {
  return { port: await freePort(), controllerPort: await freePort() }
}

async function askKafka<Fact>(
  broker: string,
  ask: (admin: Awaited<ReturnType<typeof openKafkaAdmin>>) => Promise<Fact>,
): Promise<Fact> {
  await using admin = await openKafkaAdmin({ brokers: [broker], clientId: 'daymark-test' }, silentLog)
  return await ask(admin)
}
