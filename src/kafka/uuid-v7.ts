/**
 * Makes UUIDv7 ids that grow from one to the next, also within a millisecond and when the clock goes back: RFC 9562,
 * 5.7 and 6.2, method 1, with 12 bits of counter after the time. Ids that grow keep an index hot at one edge.
 */
export function createUuidV7(clock: () => number, randomBytes: (size: number) => Buffer): () => string {
  let lastMs = 0
  let counter = 0
  return () => {
    const nowMs = Math.floor(clock())
    if (nowMs > lastMs) {
      lastMs = nowMs
      // From the lower half, so that there is room to count upwards.
      counter = randomBytes(2).readUInt16BE() & 0x7ff
    } else if (++counter > 0xfff) {
      lastMs += 1
      counter = 0
    }
    const time = lastMs.toString(16).padStart(12, '0')
    const tail = randomBytes(8)
    tail[0] = ((tail[0] ?? 0) & 0x3f) | 0x80
    const random = tail.toString('hex')
    const count = counter.toString(16).padStart(3, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${random.slice(0, 4)}-${random.slice(4)}`
  }
}
