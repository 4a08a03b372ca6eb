declare module 'kafkajs-snappy' {
  /** A codec for kafkajs: https://github.com/tulios/kafkajs-snappy. */
  const createSnappyCodec: () => {
    compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>
    decompress(buffer: Buffer): Promise<Buffer>
  }
  export default createSnappyCodec
}
