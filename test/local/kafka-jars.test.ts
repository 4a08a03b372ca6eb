import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fetchKafkaJars, KAFKA_VERSION } from '../../src/local/kafka-jars.ts'
import { withPrograms } from '../support/programs.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'

/** A Maven that "downloads" one file where it was told to. */
const MAVEN = `
case "$1" in --version) exit 0;; esac
for argument; do case "$argument" in -DoutputDirectory=*) directory=\${argument#*=};; esac; done
echo "Downloaded from central: https://repo/kafka.jar (1 MB)"
echo jar > "$directory/kafka.jar"`

test('jars that are there are not fetched again', async () => {
  using scratch = makeScratchDirectory()
  const jars = join(scratch.path, `kafka-${KAFKA_VERSION}`)
  mkdirSync(jars)
  await withPrograms({}, async () =>
    assert.equal(await fetchKafkaJars(scratch.path, () => undefined, undefined), jars),
  )
})

test('fetching says where to and how much, and leaves the jars and nothing else', async () => {
  using scratch = makeScratchDirectory()
  const said: string[] = []
  await withPrograms({ mvn: MAVEN }, async () => {
    const jars = await fetchKafkaJars(scratch.path, (sentence) => said.push(sentence), undefined)
    assert.equal(readFileSync(join(jars, 'kafka.jar'), 'utf8'), 'jar\n')
  })
  assert.match(said[0] ?? '', /^fetching Apache Kafka [\d.]+ by Maven into .*: 45 files, 44 MB/)
  assert.deepEqual(readdirSync(scratch.path), [`kafka-${KAFKA_VERSION}`])
})

test('a missing Maven is a sentence that says what to do', async () => {
  using scratch = makeScratchDirectory()
  await withPrograms({}, () =>
    assert.rejects(
      fetchKafkaJars(scratch.path, () => undefined, undefined),
      {
        name: 'LocalServerError',
        message:
          `fetching Apache Kafka ${KAFKA_VERSION}: no Maven was found. ` +
          'Install it and have `mvn` on the PATH, or set KAFKA_BROKERS to use a Kafka that you have.',
      },
    ),
  )
})

test("Maven's complaint is passed on, and nothing that looks complete is left", async () => {
  using scratch = makeScratchDirectory()
  const failing = 'case "$1" in --version) exit 0;; esac; echo "[ERROR] Unknown host"; exit 1'
  await withPrograms({ mvn: failing }, () =>
    assert.rejects(
      fetchKafkaJars(scratch.path, () => undefined, undefined),
      /Maven ended with "\[ERROR\] Unknown host"\. Mend that, or set KAFKA_BROKERS/,
    ),
  )
  assert.deepEqual(readdirSync(scratch.path), [])
})

test('an aborted download ends Maven and leaves nothing that looks complete', async () => {
  using scratch = makeScratchDirectory()
  const controller = new AbortController()
  const endless = 'case "$1" in --version) exit 0;; esac; while :; do :; done'
  await withPrograms({ mvn: endless }, () =>
    assert.rejects(
      fetchKafkaJars(scratch.path, () => controller.abort(new Error('stopping')), controller.signal),
      /stopping/,
    ),
  )
  assert.deepEqual(readdirSync(scratch.path), [])
})

test('what a killed process had fetched is cleared away, and what a running one fetches is left alone', async () => {
  using scratch = makeScratchDirectory()
  const ended = spawnSync('true').pid
  const running = `kafka-${KAFKA_VERSION}.pid${process.ppid}`
  for (const name of [`kafka-${KAFKA_VERSION}.pid${ended}`, running]) mkdirSync(join(scratch.path, name))
  await withPrograms({ mvn: MAVEN }, async () => {
    await fetchKafkaJars(scratch.path, () => undefined, undefined)
  })
  assert.deepEqual(readdirSync(scratch.path).sort(), [`kafka-${KAFKA_VERSION}`, running])
})
