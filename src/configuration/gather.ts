import { type Environment, readEnvironment } from '../process/environment.ts'
import { FLAGS } from './flags.ts'
import type { Setting } from './list-settings.ts'
import type { Source } from './source.ts'

/** A value that was found for a setting, under the name that its writer knows it by. */
export type Found = {
  readonly value: unknown
  /** `--topics`, `KAFKA_TOPICS`, or `consumer.topics`. */
  readonly key: string
  readonly from: 'flag' | 'environment' | 'file'
}

/** What was set, by path: a flag before a variable, a variable before the file. */
export type Gathered = { readonly found: ReadonlyMap<string, Found>; readonly complaints: readonly string[] }

/** Finds the value of each setting. Nothing is judged yet, except secrets that cannot be read. */
export function gather(settings: readonly Setting[], source: Source): Gathered {
  const secrets = settings.filter((setting) => setting.secret).flatMap((setting) => setting.variables)
  const environment = readEnvironment(source.variables, secrets)
  const found = new Map<string, Found>()
  for (const setting of settings) {
    const value =
      inFlags(setting, source) ?? inEnvironment(setting, environment) ?? inFile(setting, source.file?.content)
    if (value !== null) found.set(setting.path, value)
  }
  return { found, complaints: environment.complaints }
}

function inFlags(setting: Setting, source: Source): Found | null {
  const text = source.flags[setting.path]
  if (text === undefined) return null
  const flag = FLAGS.find(({ path }) => path === setting.path)?.flags.split(' ')[0] ?? setting.path
  return { value: valueOfText(setting.kind, text), key: flag, from: 'flag' }
}

function inEnvironment(setting: Setting, environment: Environment): Found | null {
  for (const name of setting.variables) {
    const variable = environment.values.get(name)
    if (variable === undefined) continue
    return { value: valueOfText(setting.kind, variable.text), key: variable.from, from: 'environment' }
  }
  return null
}

function inFile(setting: Setting, content: unknown): Found | null {
  let value = content
  for (const name of setting.path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = (value as Record<string, unknown>)[name]
  }
  return { value, key: setting.path, from: 'file' }
}

/** The value that a text stands for; the text itself where it stands for none, for the schema to refuse. */
function valueOfText(kind: Setting['kind'], text: string): unknown {
  if (kind === 'list') {
    return text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
  }
  if (kind === 'number') return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text
  if (kind === 'switch') return text === 'true' ? true : text === 'false' ? false : text
  return text
}
