import { randomBytes } from 'node:crypto'
import { connectKafka } from '../../src/kafka/kafka-client.ts'
import { silentLog } from '../../src/process/log.ts'
import { payment } from './payments.ts'
import { testKafka } from './test-topic.ts'

/** A transaction of some payments. Whichever its ending, it leaves a control record behind them. */
export type TestTransaction = { readonly ids: readonly string[]; readonly ending: 'commit' | 'abort' }

/** Writes transactions into partition 0, in turn. */
export async function writeTransactions(
  topic: string,
  transactions: readonly TestTransaction[],
): Promise<void> {
  const producer = connectKafka(testKafka(), silentLog).producer({
    transactionalId: `tx-${randomBytes(6).toString('hex')}`,
    idempotent: true,
    maxInFlightRequests: 1,
  })
  await producer.connect()
  try {
    for (const { ids, ending } of transactions) {
      const transaction = await producer.transaction()
      const messages = ids.map((id) => {
        const { key, value, headers } = payment(id)
        return { key, value, headers: { ...headers }, partition: 0 }
      })
      await transaction.send({ topic, messages })
      await (ending === 'commit' ? transaction.commit() : transaction.abort())
    }
  } finally {
    await producer.disconnect()
  }
}
