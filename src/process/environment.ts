import { readFileSync } from 'node:fs'

/** Variables that are set, each with the name that it was found under: `X`, or `X_FILE` for a secret in a file. */
export type Environment = {
  readonly values: ReadonlyMap<string, { readonly text: string; readonly from: string }>
  /** What could not be read, in sentences. */
  readonly complaints: readonly string[]
}

/**
 * Reads the environment. An empty variable counts as absent: `X: ${X:-}` in a compose file makes it so. Each of the
 * `secrets` may stand in a file that `X_FILE` names, as containers mount them; the newline at its end is no part of it.
 */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
): Environment {
  const values = new Map<string, { text: string; from: string }>()
  const complaints: string[] = []
  for (const [name, text] of Object.entries(variables)) {
    if (text !== undefined && text !== '') values.set(name, { text, from: name })
  }
  for (const name of secrets) {
    const path = values.get(`${name}_FILE`)?.text
    if (path === undefined) continue
    if (values.has(name)) {
      complaints.push(`expected ${name} or ${name}_FILE, got both (from the environment)`)
      continue
    }
    try {
      values.set(name, { text: readFileSync(path, 'utf8').replace(/\r?\n$/, ''), from: `${name}_FILE` })
    } catch (error) {
      const found = (error as NodeJS.ErrnoException).code ?? String(error)
      complaints.push(`expected ${name}_FILE to be a file that can be read, got '${path}': ${found}`)
    }
  }
  return { values, complaints }
}
