import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import kafkajs from 'kafkajs'
import SnappyCodec from 'kafkajs-snappy'
import { compressFrame, decompressFrame } from 'lz4-napi'

/** The codecs a record batch can be compressed with, as Kafka names them. */
export type Compression = 'gzip' | 'snappy' | 'lz4' | 'zstd'

export const COMPRESSION_TYPE: Readonly<Record<Compression, number>> = {
  gzip: kafkajs.CompressionTypes.GZIP,
  snappy: kafkajs.CompressionTypes.Snappy,
  lz4: kafkajs.CompressionTypes.LZ4,
  zstd: kafkajs.CompressionTypes.ZSTD,
}

type Encoder = { readonly buffer: Buffer }

/**
 * Registers snappy, lz4 and zstd: kafkajs brings gzip only, and a record batch in any other codec ends its consumer.
 * Which codec a topic holds is its producers' choice, so a consumer must be able to read all. Idempotent.
 */
export function registerCodecs(): void {
  const { CompressionCodecs, CompressionTypes } = kafkajs
  CompressionCodecs[CompressionTypes.Snappy] = SnappyCodec
  CompressionCodecs[CompressionTypes.LZ4] = () => ({
    compress: (encoder: Encoder) => compressFrame(encoder.buffer),
    decompress: (buffer: Buffer) => decompressFrame(buffer),
  })
  CompressionCodecs[CompressionTypes.ZSTD] = () => ({
    compress: async (encoder: Encoder) => zstdCompressSync(encoder.buffer),
    decompress: async (buffer: Buffer) => zstdDecompressSync(buffer),
  })
}
