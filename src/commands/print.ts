/** Writes a command's answer to stdout, which is for data alone. */
export function printText(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** Writes an answer as JSON. `schemaVersion` grows when a field changes its meaning or goes. */
export function printJson(answer: Readonly<Record<string, unknown>>): void {
  printText(JSON.stringify({ schemaVersion: 1, ...answer }, null, 2))
}

/** Writes a message for people to stderr. */
export function printMessage(text: string): void {
  process.stderr.write(`${text}\n`)
}
