import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { freePort, requireFreePort } from '../../src/local/free-port.ts'
import { LocalServerError } from '../../src/local/local-error.ts'

test('a free port is accepted', async () => {
  await requireFreePort('Kafka', await freePort(), 'Do something.')
})

test('a taken port is a sentence that names the server, the port and what to do', async () => {
  const port = await freePort()
  const holder = createServer()
  await new Promise<void>((resolve) => holder.listen(port, '0.0.0.0', resolve))
  try {
    await assert.rejects(
      requireFreePort('Kafka', port, 'Do something.'),
      new LocalServerError(`starting Kafka on 127.0.0.1:${port}: the port is taken. Do something.`),
    )
  } finally {
    holder.close()
  }
})
