import { createRequire } from 'node:module'

type Decoder = {
  readInt32(): number
  readBytes(count: number): Buffer
  canReadBytes(count: number): boolean
}
type RecordBatch = { readonly records: readonly unknown[] }
type Internals = {
  readonly Decoder: new (buffer: Buffer) => Decoder
  readonly decodeRecordBatch: (decoder: Decoder) => Promise<RecordBatch>
  readonly decodeMessageSet: (decoder: Decoder, size: number) => unknown
}

/** Where the format's version stands, in old and new formats alike; 2 is that of record batches. */
const MAGIC_OFFSET = 16
const RECORD_BATCH_MAGIC = 2
const RECORD_BATCH_OVERHEAD = 49

/**
 * Lets kafkajs 2.2.4 read record batches of any size. Its own decoder hands all records of a batch to one call of
 * `push`, as arguments, which lie on the stack: with some 125,000 of them that is a RangeError, which ends the
 * consumer, for ever, because the batch comes again. (120,000 records in one batch were read, 125,000 were not.)
 * `node --stack-size` would cure it too, but a library does not choose its user's flags.
 *
 * The module is replaced before it is first loaded: the decoders of responses take it when a version is first used.
 * Idempotent.
 */
export function readLargeRecordBatches(): void {
  const require = createRequire(import.meta.url)
  const path = require.resolve('kafkajs/src/protocol/requests/fetch/v4/decodeMessages.js')
  if (require.cache[path] !== undefined) return
  const internals: Internals = {
    Decoder: require('kafkajs/src/protocol/decoder.js'),
    decodeRecordBatch: require('kafkajs/src/protocol/recordBatch/v0/decoder.js'),
    decodeMessageSet: require('kafkajs/src/protocol/messageSet/decoder.js'),
  }
  const exports = (decoder: Decoder): Promise<unknown> => decodeFetched(internals, decoder)
  require.cache[path] = { id: path, filename: path, loaded: true, exports } as unknown as NodeModule
}

async function decodeFetched(internals: Internals, decoder: Decoder): Promise<unknown> {
  const size = decoder.readInt32()
  if (size <= 0 || !decoder.canReadBytes(size)) return []
  const bytes = decoder.readBytes(size)
  const batches = new internals.Decoder(bytes)
  if (bytes.readInt8(MAGIC_OFFSET) !== RECORD_BATCH_MAGIC) return internals.decodeMessageSet(batches, size)
  const records: unknown[] = []
  while (batches.canReadBytes(RECORD_BATCH_OVERHEAD)) {
    const batch = await decodeWhole(internals, batches)
    if (batch === null) break
    for (const record of batch.records) records.push(record)
  }
  return records
}

/** Null for the last batch of an answer where the fetch's limit cut it: it comes whole with the next fetch. */
async function decodeWhole(internals: Internals, batches: Decoder): Promise<RecordBatch | null> {
  try {
    return await internals.decodeRecordBatch(batches)
  } catch (error) {
    if ((error as Error).name === 'KafkaJSPartialMessageError') return null
    throw error
  }
}
