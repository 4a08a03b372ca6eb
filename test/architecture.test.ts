import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkFileLength } from './support/architecture/file-length.ts'
import { checkFileNames } from './support/architecture/file-names.ts'
import { findForbiddenText } from './support/architecture/forbidden-text.ts'
import { FORBIDDEN_TEXTS } from './support/architecture/forbidden-texts.ts'
import { findCycles } from './support/architecture/import-cycles.ts'
import { checkDirections, type Directions } from './support/architecture/import-directions.ts'
import { importsOf } from './support/architecture/imports.ts'
import { checkOuterLibraries, type Importers } from './support/architecture/outer-libraries.ts'
import { PURE_FILES } from './support/architecture/pure-files.ts'
import { checkPurity } from './support/architecture/purity.ts'
import { readSources } from './support/architecture/source-file.ts'
import { checkSqlFiles, findStraySql } from './support/architecture/sql-files.ts'

/** The rules of CONTRIBUTING.md that a program can check, each with its reason: what a failing test prints. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CODE = readSources(ROOT, ['src', 'test', 'bench', 'examples'], /\.ts$/)
const PROGRAM = CODE.filter(({ path }) => path.startsWith('src/'))
const PARTS = PROGRAM.filter(({ path }) => path !== 'src/index.ts')

const LOWEST = ['postgres', 'kafka', 'calendar', 'process']
const DIRECTIONS: Directions = {
  'index.ts': ['consumer', 'maintenance', ...LOWEST],
  'cli.ts': ['commands', 'configuration', 'process'],
  commands: ['configuration', 'http', 'local', 'consumer', 'maintenance', ...LOWEST],
  // These two name the settings and the observers of the stories; no story knows of them.
  configuration: ['consumer', 'maintenance', ...LOWEST],
  http: ['consumer', 'maintenance', ...LOWEST],
  local: LOWEST,
  consumer: LOWEST,
  maintenance: LOWEST,
  postgres: ['process'],
  kafka: ['process'],
  calendar: [],
  process: [],
}

const IMPORTERS: Importers = {
  commander: 'src/cli.ts',
  fastify: 'src/http/',
  kafkajs: 'src/kafka/',
  'kafkajs-snappy': 'src/kafka/',
  luxon: 'src/calendar/period.ts',
  'lz4-napi': 'src/kafka/',
  ms: 'src/configuration/duration.ts',
  'node-cron': 'src/consumer/probes.ts',
  'node-pg-migrate': 'src/postgres/migrate.ts',
  pg: 'src/postgres/',
  'pg-boss': 'src/maintenance/scheduler.ts',
  pino: 'src/process/log.ts',
  'prom-client': 'src/http/',
  zod: 'src/configuration/',
}

const SQL_ELSEWHERE = [
  'src/postgres/',
  // DDL takes no parameters; this is its one builder, and the steps show what it built.
  'src/maintenance/partition-ddl.ts',
  // The adoption of a table is shown by --plan before it is done.
  'src/maintenance/adoption.ts',
  // The batch of a pruning is shown by the plan before it is sent.
  'src/maintenance/prune-sql.ts',
  // Puts the user's statement between two of ours.
  'src/consumer/effect-statement.ts',
  // Prints the migrations as a script for psql.
  'src/commands/migration-script.ts',
  // Prints roles and grants as a script for psql.
  'src/commands/grants-script.ts',
]

test('imports go down: a story that knew the other, or its caller, could not be changed alone', () => {
  assertNothing(checkDirections(PROGRAM, DIRECTIONS))
})

test('an outer library has one place: changing it is a change of one folder', () => {
  assertNothing(checkOuterLibraries(PROGRAM, IMPORTERS))
})

test('nothing imports in a circle, types included: the parts of a circle are one part', () => {
  assertNothing(findCycles(CODE))
})

test('only src/index.ts re-exports: elsewhere a type is imported from the file that owns it', () => {
  assertNothing(
    PARTS.filter((file) => importsOf(file).some((each) => each.isReExport)).map(({ path }) => path),
  )
  assertNothing(PARTS.filter(({ path }) => path.endsWith('/index.ts')).map(({ path }) => path))
})

test('what decides is pure: it computes from values, so what is shown is what is done', () => {
  assertNothing(checkPurity(PROGRAM, PURE_FILES, ['luxon', 'node:buffer', 'node:zlib']))
})

test('a file has at most 250 lines: a file that everything passes through grows a line at a time', () => {
  assertNothing(checkFileLength(CODE, 250))
})

test('a name is kebab-case and says an idea: what nobody can name ends in a drawer', () => {
  const drawers = 'utils helpers common core lib types interfaces main base manager service misc'.split(' ')
  assertNothing(
    checkFileNames(
      CODE.map(({ path }) => path),
      drawers,
    ),
  )
})

test('a file in a sql folder is one statement, under its name: a statement is found by what it does', () => {
  assertNothing(checkSqlFiles(PROGRAM))
})

test('statements stand in sql folders: nobody has to look for them in the code that uses them', () => {
  assertNothing(findStraySql(PROGRAM, SQL_ELSEWHERE))
})

for (const rule of FORBIDDEN_TEXTS) {
  test(`nowhere in ${rule.within.join(', ')} is ${rule.what}: ${rule.reason}`, () => {
    assertNothing(findForbiddenText(CODE, rule))
  })
}

test('an exception names a file that is there: one that is gone would excuse the next of its name', () => {
  const paths = CODE.map(({ path }) => path)
  const named = [
    ...FORBIDDEN_TEXTS.flatMap(({ except = [] }) => except),
    ...Object.values(IMPORTERS),
    ...SQL_ELSEWHERE,
  ]
  assertNothing(named.filter((place) => !paths.some((path) => path.startsWith(place))))
})

test('no file names a folder of the machine it was written on: nobody else has it', () => {
  const made = ['.daymark', '.git', 'dist', 'node_modules']
  const entries = readdirSync(ROOT).filter((name) => !made.includes(name))
  assertNothing(
    findForbiddenText(readSources(ROOT, entries, /./), {
      pattern: /(?<![\w.}])\/(?:work|root|Users)\/|\.[l]ibrary\b/,
      reading: 'text',
      within: [''],
    }),
  )
})

/** The findings themselves are the message: a list of paths, each with what is wrong there. */
function assertNothing(findings: readonly string[]): void {
  assert.deepEqual(findings, [])
}
