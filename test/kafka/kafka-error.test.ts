import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type KafkaFailure, kafkaFailureOf } from '../../src/kafka/kafka-error.ts'
import { openKafkaProducer } from '../../src/kafka/kafka-producer.ts'
import { freePort } from '../../src/local/free-port.ts'
import { silentLog } from '../../src/process/log.ts'
import { payment } from '../support/payments.ts'
import { createTestTopics } from '../support/test-topic.ts'

const topics = await createTestTopics()
after(() => topics[Symbol.asyncDispose]())

function errorOf(facts: { type?: string; name?: string; cause?: unknown }): Error {
  return Object.assign(new Error('in whatever words'), facts)
}

const failures: [KafkaFailure, { type?: string; name?: string }][] = [
  ['not-ours', { type: 'REBALANCE_IN_PROGRESS' }],
  ['not-ours', { type: 'UNKNOWN_MEMBER_ID' }],
  ['not-ours', { type: 'ILLEGAL_GENERATION' }],
  ['unknown-topic', { type: 'UNKNOWN_TOPIC_OR_PARTITION' }],
  ['refused', { type: 'TOPIC_AUTHORIZATION_FAILED' }],
  ['refused', { type: 'GROUP_AUTHORIZATION_FAILED' }],
  ['refused', { name: 'KafkaJSSASLAuthenticationError' }],
  ['unsupported-codec', { name: 'KafkaJSNotImplemented' }],
  ['unreachable', { name: 'KafkaJSConnectionError' }],
  ['unreachable', { name: 'KafkaJSRequestTimeoutError' }],
  ['other', { type: 'GROUP_LOAD_IN_PROGRESS' }],
  ['other', {}],
]

test('a failure is told by its type or name, on the error itself or on a cause of it', () => {
  for (const [failure, facts] of failures) {
    const error = errorOf(facts)
    assert.equal(kafkaFailureOf(error), failure)
    assert.equal(
      kafkaFailureOf(errorOf({ name: 'KafkaJSNumberOfRetriesExceeded', cause: errorOf({ cause: error }) })),
      failure,
    )
  }
})

test('what is no error, and causes that go round in a circle, are nothing that is known', () => {
  for (const thrown of [undefined, null, 'UNKNOWN_TOPIC_OR_PARTITION', { type: 'ILLEGAL_GENERATION' }, 42]) {
    assert.equal(kafkaFailureOf(thrown), 'other')
  }
  const circle = errorOf({})
  circle.cause = circle
  assert.equal(kafkaFailureOf(circle), 'other')
})

test("the real broker's answer for a topic that is not there is told so", async () => {
  await assert.rejects(
    topics.producer.send('nowhere', [payment('a')]),
    (error) => kafkaFailureOf(error) === 'unknown-topic',
  )
})

test('a broker that does not answer is told so', async () => {
  const settings = { brokers: [`127.0.0.1:${await freePort()}`], clientId: 'daymark-test' }
  await assert.rejects(
    openKafkaProducer(settings, silentLog),
    (error) => kafkaFailureOf(error) === 'unreachable',
  )
})
