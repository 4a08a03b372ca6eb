/**
 * The moment inside an id that carries one, in milliseconds since the epoch; null for any other id.
 * UUIDv7: the first 48 bits (RFC 9562, 5.7). ULID: the first ten characters in Crockford's base 32
 * (https://github.com/ulid/spec).
 */
export function idTimeOf(id: string): number | null {
  if (UUID_V7.test(id)) return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
  if (ULID.test(id)) return ulidTime(id.toUpperCase())
  return null
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
// The first character is at most 7: 26 characters of 5 bits would hold 130 bits, and an id has 128.
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function ulidTime(id: string): number {
  let ms = 0
  for (const character of id.slice(0, 10)) ms = ms * 32 + CROCKFORD.indexOf(character)
  return ms
}
