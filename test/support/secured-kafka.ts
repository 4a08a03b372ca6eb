import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KafkaSettings } from '../../src/kafka/kafka-settings.ts'
import { freePort } from '../../src/local/free-port.ts'
import { startLocalKafka } from '../../src/local/local-kafka.ts'
import { runProgram } from '../../src/local/run-program.ts'
import { makeScratchDirectory } from './scratch-directory.ts'
import { JAR_DIRECTORY } from './servers.ts'

type Sasl = NonNullable<KafkaSettings['sasl']>

/** The one user of the broker, by each mechanism. */
export const USER = { username: 'reader', password: 'open-sesame' }

/** A broker of the test's own that asks who is there. */
export type SecuredKafka = AsyncDisposable & {
  /** In clear text, by user and password. */
  saslSettings(sasl: Sasl): KafkaSettings
  /** The same over TLS, with a certificate of the broker's own. */
  tlsSettings(sasl: Sasl): KafkaSettings
  readonly ca: string
}

export async function startSecuredKafka(): Promise<SecuredKafka> {
  using stack = new DisposableStack()
  const scratch = stack.use(makeScratchDirectory())
  const [port, controllerPort, saslPort, tlsPort] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ])
  const keystore = await makeKeystore(scratch.path)
  const { username: name, password } = USER
  const broker = await startLocalKafka({
    directory: join(scratch.path, 'kafka'),
    jarDirectory: JAR_DIRECTORY,
    port,
    controllerPort,
    scramCredentials: ['SCRAM-SHA-256', 'SCRAM-SHA-512'].map(
      (mechanism) => `${mechanism}=[name=${name},password=${password}]`,
    ),
    properties: [
      `listeners=${at({ PLAINTEXT: port, CONTROLLER: controllerPort, CLEAR: saslPort, TLS: tlsPort })}`,
      `advertised.listeners=${at({ PLAINTEXT: port, CLEAR: saslPort, TLS: tlsPort })}`,
      'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,CLEAR:SASL_PLAINTEXT,TLS:SASL_SSL',
      'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
      ...['clear', 'tls'].flatMap(loginOf),
      `ssl.keystore.location=${keystore.file}`,
      `ssl.keystore.password=${password}`,
      'ssl.keystore.type=PKCS12',
    ],
  })
  const settingsAt = (port: number, sasl: Sasl): KafkaSettings => ({
    brokers: [`127.0.0.1:${port}`],
    clientId: 'daymark-test',
    sasl,
  })
  const held = stack.move()
  return {
    ca: keystore.ca,
    saslSettings: (sasl) => settingsAt(saslPort, sasl),
    tlsSettings: (sasl) => ({ ...settingsAt(tlsPort, sasl), tls: { ca: keystore.ca } }),
    async [Symbol.asyncDispose]() {
      await broker.stop()
      held.dispose()
    },
  }
}

function at(listeners: Readonly<Record<string, number>>): string {
  return Object.entries(listeners)
    .map(([name, port]) => `${name}://127.0.0.1:${port}`)
    .join(',')
}

function loginOf(listener: string): string[] {
  const modules = 'org.apache.kafka.common.security'
  const scram = `${modules}.scram.ScramLoginModule required;`
  const login = {
    plain: `${modules}.plain.PlainLoginModule required user_${USER.username}="${USER.password}";`,
    'scram-sha-256': scram,
    'scram-sha-512': scram,
  }
  return Object.entries(login).map(
    ([mechanism, module]) => `listener.name.${listener}.${mechanism}.sasl.jaas.config=${module}`,
  )
}

/** A certificate for the loopback address that signs itself, by the keytool that comes with Java. */
async function makeKeystore(directory: string): Promise<{ file: string; ca: string }> {
  const file = join(directory, 'broker.p12')
  const certificate = join(directory, 'broker.pem')
  const store = ['-alias', 'broker', '-keystore', file, '-storepass', USER.password]
  await keytool(
    '-genkeypair',
    ...store,
    '-storetype',
    'PKCS12',
    '-keyalg',
    'RSA',
    '-dname',
    'CN=broker',
    '-ext',
    'san=ip:127.0.0.1',
  )
  await keytool('-exportcert', '-rfc', ...store, '-file', certificate)
  return { file, ca: readFileSync(certificate, 'utf8') }
}

async function keytool(...args: readonly string[]): Promise<void> {
  const made = await runProgram(['keytool', ...args])
  assert.equal(made.outcome, 'done', `${made.stdout}${made.stderr}`)
}
