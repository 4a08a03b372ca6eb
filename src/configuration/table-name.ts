/** A table by its two names, as the catalogue has them. */
export type TableName = { readonly schema: string; readonly table: string }

/** A name in double quotes, with those inside of it doubled, or one that has neither a quote nor a dot. */
const PART = `"(?:[^"]|"")+"|[^".]+`
const TWO_PARTS = new RegExp(`^(${PART})\\.(${PART})$`, 'u')
const MAX_NAME_BYTES = 63

/**
 * Reads `schema.table`. Letters count as they are written, with quotes and without: what the catalogue has is meant,
 * not what SQL would fold. Null where it is not that, or where PostgreSQL would clip a name.
 */
export function parseTableName(text: string): TableName | null {
  const [, schema, table] = TWO_PARTS.exec(text)?.map(unquoted) ?? []
  if (schema === undefined || table === undefined) return null
  const isUsable = [schema, table].every(
    (name) => Buffer.byteLength(name) <= MAX_NAME_BYTES && !/\0/.test(name),
  )
  return isUsable ? { schema, table } : null
}

function unquoted(part: string): string {
  return part.startsWith('"') && part.endsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part
}
