import { join } from 'node:path'
import type { KafkaSettings } from '../../src/kafka/kafka-settings.ts'
import { freePort } from '../../src/local/free-port.ts'
import { type LocalKafka, startLocalKafka } from '../../src/local/local-kafka.ts'
import { makeScratchDirectory } from './scratch-directory.ts'
import { JAR_DIRECTORY } from './servers.ts'

/** A broker of the test's own, to be stopped under whoever uses it. */
export type OwnKafka = AsyncDisposable & {
  readonly kafka: KafkaSettings
  kill(): Promise<void>
  /** From here on it accepts, and answers nothing, until it is thawed. */
  freeze(): void
  thaw(): void
}

export async function startOwnKafka(): Promise<OwnKafka> {
  using stack = new DisposableStack()
  const scratch = stack.use(makeScratchDirectory())
  const broker: LocalKafka = await startLocalKafka({
    directory: join(scratch.path, 'kafka'),
    jarDirectory: JAR_DIRECTORY,
    port: await freePort(),
    controllerPort: await freePort(),
  })
  const held = stack.move()
  return {
    kafka: { brokers: [broker.broker], clientId: 'daymark-test' },
    freeze: () => void process.kill(broker.process.pid, 'SIGSTOP'),
    thaw: () => void process.kill(broker.process.pid, 'SIGCONT'),
    kill: () => broker.process.stop('SIGKILL', 0),
    async [Symbol.asyncDispose]() {
      await broker.stop()
      held.dispose()
    },
  }
}
