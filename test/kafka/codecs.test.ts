import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Compression } from '../../src/kafka/codecs.ts'
import { eventually } from '../support/eventually.ts'
import { createTestTopics } from '../support/test-topic.ts'
import { joinTestGroup, resolveAll } from './test-member.ts'

const topics = await createTestTopics()
after(() => topics[Symbol.asyncDispose]())

const VALUES = Array.from({ length: 200 }, (_, number) =>
  JSON.stringify({ number, text: 'again and '.repeat(number) }),
)

async function readAll(topic: string): Promise<string[]> {
  const values: string[] = []
  await using _member = await joinTestGroup(topic, {
    async batch(fetched, claim) {
      values.push(...fetched.records.map(({ value }) => String(value)))
      resolveAll(fetched, claim)
    },
  })
  await eventually('every record', () => values.length >= VALUES.length)
  return values
}

for (const compression of ['gzip', 'snappy', 'lz4', 'zstd'] as const satisfies Compression[]) {
  test(`records that we compress with ${compression} are read`, async () => {
    const topic = await topics.create(1)
    const records = VALUES.map((value) => ({ key: null, value }))
    await topics.producer.send(topic, records, { compression })
    assert.deepEqual(await readAll(topic), VALUES)
  })

  test(`records that the broker itself has compressed with ${compression} are read`, async () => {
    const topic = await topics.create(1, { 'compression.type': compression })
    await topics.producer.send(
      topic,
      VALUES.map((value) => ({ key: null, value })),
    )
    assert.deepEqual(await readAll(topic), VALUES)
  })
}
