/**
 * A text array as PostgreSQL reads it. JSON writes the same quotes and the same two escapes, and it is written by the
 * engine: 111 ns for a value of a payment instead of 700 by a regular expression for each element, which is how `pg`
 * does it. Only the escapes that JSON has beside those are another language; such texts are escaped one by one.
 * https://www.postgresql.org/docs/18/arrays.html#ARRAYS-IO
 */
export function arrayText(values: readonly (string | null)[]): string {
  const json = JSON.stringify(values)
  if (!OTHER_ESCAPE.test(json)) return `{${json.slice(1, -1)}}`
  let text = ''
  for (const value of values) {
    if (text !== '') text += ','
    if (value === null) text += 'null'
    else text += NEEDS_ESCAPE.test(value) ? `"${value.replaceAll(ESCAPED, '\\$&')}"` : `"${value}"`
  }
  return `{${text}}`
}

const OTHER_ESCAPE = /\\[bfnrtu]/
const NEEDS_ESCAPE = /["\\]/
const ESCAPED = /["\\]/g

/** An array of numbers (or null) as PostgreSQL reads it. */
export function numberArrayText(values: readonly (number | null)[]): string {
  return `{${values.map((value) => (value === null ? 'null' : value)).join(',')}}`
}
