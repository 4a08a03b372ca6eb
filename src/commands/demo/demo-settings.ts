import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError } from '../../configuration/config-error.ts'

/** What the demo alone has to know: which servers are its own, where they listen, how fast the sample producer is. */
export type DemoSettings = {
  /** Where its state is: the data of both servers, Kafka's jars, the log. */
  readonly directory: string
  /** False where the environment names a PostgreSQL, which is used instead. */
  readonly bringsPostgres: boolean
  /** False where the environment names a Kafka. */
  readonly bringsKafka: boolean
  readonly postgresPort: number
  readonly kafkaPort: number
  readonly controllerPort: number
  readonly perSecond: number
}

/** Names that say where a PostgreSQL is. PGPASSWORD and the like only say how to reach one. */
const POSTGRES_NAMES = [
  'DATABASE_URL',
  'DATABASE_URL_FILE',
  'PGHOST',
  'PGPORT',
  'PGDATABASE',
  'PGUSER',
  'PGSERVICE',
]
const KAFKA_NAMES = ['KAFKA_BROKERS', 'KAFKA_BOOTSTRAP_SERVERS']

const DIRECTORY_NAME = 'DAYMARK_DEMO_DIRECTORY'
const DEFAULT_DIRECTORY = fileURLToPath(new URL('../../../.daymark', import.meta.url))

const NUMBERS = {
  postgresPort: { name: 'DAYMARK_DEMO_POSTGRES_PORT', otherwise: 25_432, most: 65_535, shape: 'a port' },
  kafkaPort: { name: 'DAYMARK_DEMO_KAFKA_PORT', otherwise: 25_092, most: 65_535, shape: 'a port' },
  controllerPort: { name: 'DAYMARK_DEMO_CONTROLLER_PORT', otherwise: 25_093, most: 65_535, shape: 'a port' },
  perSecond: { name: 'DAYMARK_DEMO_RATE', otherwise: 200, most: 50_000, shape: 'payments a second' },
} as const

/** The names of the variables for the ports, as advice names them. */
export const PORT_VARIABLES = {
  postgres: NUMBERS.postgresPort.name,
  kafka: `${NUMBERS.kafkaPort.name} or ${NUMBERS.controllerPort.name}`,
} as const

/** Reads the demo's own settings from the environment. An empty variable counts as absent. */
export function readDemoSettings(variables: Readonly<Record<string, string | undefined>>): DemoSettings {
  const isSet = (name: string): boolean => variables[name] !== undefined && variables[name] !== ''
  const complaints: string[] = []
  const number = ({ name, otherwise, most, shape }: (typeof NUMBERS)[keyof typeof NUMBERS]): number => {
    if (!isSet(name)) return otherwise
    const value = Number(variables[name])
    if (Number.isInteger(value) && value >= 1 && value <= most) return value
    complaints.push(
      `expected ${name} to be ${shape}, a whole number from 1 to ${most}, got '${variables[name]}'`,
    )
    return otherwise
  }
  const settings = {
    directory: isSet(DIRECTORY_NAME) ? resolve(variables[DIRECTORY_NAME] ?? '') : DEFAULT_DIRECTORY,
    bringsPostgres: !POSTGRES_NAMES.some(isSet),
    bringsKafka: !KAFKA_NAMES.some(isSet),
    postgresPort: number(NUMBERS.postgresPort),
    kafkaPort: number(NUMBERS.kafkaPort),
    controllerPort: number(NUMBERS.controllerPort),
    perSecond: number(NUMBERS.perSecond),
  }
  if (complaints.length > 0) throw new ConfigError(complaints)
  return settings
}
