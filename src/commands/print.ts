/** Writes a command's answer to stdout, which is for data alone. */
export function printText(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** What JSON need not escape, and a terminal obeys all the same: it may stand in an id that a stranger wrote. */
const UNSEEN = /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** Writes an answer as JSON. `schemaVersion` grows when a field changes its meaning or goes. */
export function printJson(answer: Readonly<Record<string, unknown>>): void {
  const text = JSON.stringify({ schemaVersion: 1, ...answer }, null, 2)
  printText(
    text.replaceAll(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

/** Writes a message for people to stderr. */
export function printMessage(text: string): void {
  process.stderr.write(`${text}\n`)
}
