import { isUtf8 } from 'node:buffer'

/** Control and format characters, line and paragraph separators, halves of surrogate pairs, what is not assigned. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Text from a stranger as a terminal may show it: an id may hold a sequence that clears the screen, or one that turns
 * the direction of reading. What cannot be seen is written as an escape.
 */
export function escapedText(text: string): string {
  return text.replaceAll(UNSEEN, (character) => {
    const short = SHORT[character]
    if (short !== undefined) return short
    const code = character.codePointAt(0) ?? 0
    return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
  })
}

/** Bytes as text where they are UTF-8, else with every byte beyond ASCII as an escape. */
export function escapedBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return escapedText(bytes.toString('utf8'))
  return bytes.toString('latin1').replaceAll(/[^\x20-\x7e]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
}

/** As much of a text as fits, with a sign that there is more. */
export function clippedText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`
}
