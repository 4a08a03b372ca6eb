import assert from 'node:assert/strict'
import { test } from 'node:test'
import { javaRelease, requireJava } from '../../src/local/require-java.ts'
import { withPrograms } from '../support/programs.ts'

test('the release is read from what Java says of itself', () => {
  assert.equal(javaRelease('openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment'), 17)
  assert.equal(javaRelease('java version "1.8.0_412"\nJava(TM) SE Runtime Environment'), 8)
  assert.equal(javaRelease('openjdk version "26-ea" 2026-03-17'), 26)
  assert.equal(javaRelease('something else'), null)
})

test('this machine has a Java that Kafka runs on', async () => {
  await requireJava()
})

test('a missing Java is a sentence that says what to do', async () => {
  await withPrograms({}, () =>
    assert.rejects(requireJava(), {
      name: 'LocalServerError',
      message:
        'starting Kafka: no Java was found. Install a Java 17 runtime and have `java` on the PATH, ' +
        'or set KAFKA_BROKERS to use a Kafka that you have.',
    }),
  )
})

test('a Java that is too old is a sentence that names its release', async () => {
  await withPrograms({ java: 'echo \'openjdk version "11.0.2" 2019-01-15\' >&2' }, () =>
    assert.rejects(
      requireJava(),
      /^LocalServerError: starting Kafka: Java 11 was found, and Kafka needs 17\. Install/,
    ),
  )
})
