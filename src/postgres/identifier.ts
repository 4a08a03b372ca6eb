/**
 * The one place where a name becomes SQL text, for DDL, which takes no parameters.
 * A name is at most 63 bytes: PostgreSQL would clip a longer one without a word (NAMEDATALEN).
 */
export function identifier(name: string): string {
  if (name.length === 0 || name.includes('\0') || Buffer.byteLength(name) > 63) {
    throw new RangeError(
      `expected a name of 1 to 63 bytes without NUL for a table or schema, got ${JSON.stringify(name)}`,
    )
  }
  return `"${name.replaceAll('"', '""')}"`
}

/** A table's full name as SQL text. */
export function qualified(schema: string, name: string): string {
  return `${identifier(schema)}.${identifier(name)}`
}

/** A value as an SQL literal, for the places in DDL where a value must stand. */
export function literal(value: string): string {
  if (value.includes('\0')) throw new RangeError('expected text without NUL for an SQL literal')
  const quoted = `'${value.replaceAll("'", "''")}'`
  return value.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted
}
