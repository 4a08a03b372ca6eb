/**
 * A text array as PostgreSQL reads it. `pg` does the same element by element with a regular expression each; a batch
 * has thousands, so that texts which need no escape (ids, days, numbers) are joined as they are.
 * https://www.postgresql.org/docs/18/arrays.html#ARRAYS-IO
 */
export function arrayText(values: readonly (string | null)[]): string {
  if (values.length === 0) return '{}'
  let text = ''
  for (const value of values) {
    if (text !== '') text += ','
    if (value === null) text += 'null'
    else text += NEEDS_ESCAPE.test(value) ? `"${value.replaceAll(ESCAPED, '\\$&')}"` : `"${value}"`
  }
  return `{${text}}`
}

const NEEDS_ESCAPE = /["\\]/
const ESCAPED = /["\\]/g

/** An array of numbers (or null) as PostgreSQL reads it. */
export function numberArrayText(values: readonly (number | null)[]): string {
  return `{${values.map((value) => (value === null ? 'null' : value)).join(',')}}`
}
