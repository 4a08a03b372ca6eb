declare module 'kafkajs-snappy' {
  /** A codec for kafkajs: https://github.com/tulios/kafkajs-snappy. */
  const createSnappyCodec: () => {
    compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>
    decompress(buffer: Buffer): Promise<Buffer>
  }
  // biome-ignore lint/style/noDefaultExport: the package has no other export
  export default createSnappyCodec
}
