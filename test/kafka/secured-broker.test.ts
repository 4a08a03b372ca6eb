import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { brokerRefusal } from '../../src/commands/broker-refusal.ts'
import { RefusedError } from '../../src/commands/refused-error.ts'
import { openKafkaAdmin } from '../../src/kafka/kafka-admin.ts'
import { openKafkaProducer } from '../../src/kafka/kafka-producer.ts'
import type { KafkaSettings } from '../../src/kafka/kafka-settings.ts'
import { silentLog } from '../../src/process/log.ts'
import { assertEachOnce, createOpenLedger, eventuallyApplied } from '../support/ledger.ts'
import { eventIds, payment } from '../support/payments.ts'
import { type SecuredKafka, startSecuredKafka, USER } from '../support/secured-kafka.ts'
import { ledgerEffect, startTestConsumer, testSettings } from '../support/test-consumer.ts'
import { createTestDatabase } from '../support/test-database.ts'

const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const

/** Makes a topic, fills it and consumes it, all by these settings. */
async function assertConsumed(kafka: KafkaSettings, topic: string): Promise<void> {
  await using db = await createTestDatabase()
  await createOpenLedger(db.database)
  await using admin = await openKafkaAdmin(kafka, silentLog)
  await admin.createTopic({ topic, partitions: 1, settings: {} })
  const ids = eventIds('evt', 20)
  const producer = await openKafkaProducer(kafka, silentLog)
  await producer.send(
    topic,
    ids.map((id) => payment(id)),
  )
  await producer.end()
  const settings = testSettings({ topics: [topic] })
  await using _consumer = await startTestConsumer({
    settings,
    handler: ledgerEffect,
    database: db.database,
    kafka,
  })
  await eventuallyApplied(db.database, ids.length)
  await assertEachOnce(db.database, ids)
}

describe('a broker that asks who is there', () => {
  let broker: SecuredKafka
  before(async () => {
    broker = await startSecuredKafka()
  })
  after(() => broker[Symbol.asyncDispose]())

  for (const mechanism of MECHANISMS) {
    test(`is consumed from by ${mechanism}`, async () => {
      await assertConsumed(broker.saslSettings({ mechanism, ...USER }), `clear-${mechanism}`)
    })

    test(`is consumed from by ${mechanism} over TLS`, async () => {
      await assertConsumed(broker.tlsSettings({ mechanism, ...USER }), `tls-${mechanism}`)
    })

    test(`refuses a wrong password by ${mechanism}, and the sentence says what to correct`, async () => {
      const kafka = broker.saslSettings({ mechanism, ...USER, password: 'wrong' })
      await assert.rejects(openKafkaAdmin(kafka, silentLog), (error: Error) => {
        const refusal = brokerRefusal(kafka, error)
        assert.ok(refusal instanceof RefusedError)
        assert.match(
          refusal.message,
          /the user was refused. Correct KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD/,
        )
        return true
      })
    })
  }

  test('is not trusted where nobody vouches for its certificate', async () => {
    const kafka = { ...broker.tlsSettings({ mechanism: 'plain', ...USER }), tls: {} }
    await assert.rejects(openKafkaAdmin(kafka, silentLog))
  })
})
