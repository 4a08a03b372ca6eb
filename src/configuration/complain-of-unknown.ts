import type { Setting } from './list-settings.ts'
import { nearestName } from './nearest-name.ts'
import type { ConfigFile } from './source.ts'

/** Complains of each key of the file that is no setting, with the one that was probably meant. */
export function complainOfUnknownKeys(
  file: ConfigFile,
  settings: readonly Setting[],
  fileName: string,
): string[] {
  return [...unknownKeys(file.content, [], settings, fileName)]
}

function* unknownKeys(
  value: unknown,
  path: readonly string[],
  settings: readonly Setting[],
  fileName: string,
): Generator<string> {
  const where = path.join('.')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const subject = where === '' ? fileName : where
    yield `expected ${subject} to be an object, got ${JSON.stringify(value)} (from ${fileName})`
    return
  }
  for (const [name, member] of Object.entries(value)) {
    const key = [...path, name].join('.')
    const known = settings.find((setting) => setting.path === key)
    if (known?.secret) {
      yield `expected ${key} to come from ${known.variables[0]} or ${known.variables[0]}_FILE, got it from ${fileName}`
    } else if (known !== undefined || key === '$schema') {
    } else if (settings.some((setting) => setting.path.startsWith(`${key}.`))) {
      yield* unknownKeys(member, [...path, name], settings, fileName)
    } else {
      yield `expected a setting, got '${key}' (from ${fileName})${guess(key, namesOf(settings))}`
    }
  }
}

/**
 * Complains of variables that follow daymark's rule for names and name nothing. Only those of a section are looked at:
 * Kubernetes itself writes `DAYMARK_SERVICE_HOST` and the like beside a service called daymark.
 */
export function complainOfUnknownVariables(
  variables: Readonly<Record<string, string | undefined>>,
  settings: readonly Setting[],
): string[] {
  const known = settings.flatMap((setting) =>
    setting.secret ? setting.variables.flatMap((name) => [name, `${name}_FILE`]) : setting.variables,
  )
  const sections = new Set(settings.map((setting) => `DAYMARK_${setting.path.split('.')[0]?.toUpperCase()}_`))
  return Object.keys(variables)
    .filter((name) => [...sections].some((section) => name.startsWith(section)) && !known.includes(name))
    .map(
      (name) => `expected a variable of daymark, got '${name}' (from the environment)${guess(name, known)}`,
    )
}

function namesOf(settings: readonly Setting[]): string[] {
  const sections = settings.map((setting) => setting.path.split('.')[0] ?? '')
  return [...new Set([...settings.map((setting) => setting.path), ...sections])]
}

function guess(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === null ? '' : `: did you mean '${nearest}'?`
}
