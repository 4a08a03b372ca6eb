import { z } from 'zod'
import { configurationSchema } from './schema.ts'
import { type SettingFacts, settingFacts } from './setting.ts'

/** One setting: where it stands in the file, and the variables that may hold it, the usual one first. */
export type Setting = SettingFacts & { readonly path: string; readonly variables: readonly string[] }

/** Every setting, in the order of the schema. */
export function listSettings(): Setting[] {
  return [...settingsOf(configurationSchema, [])]
}

function* settingsOf(schema: z.ZodType, path: readonly string[]): Generator<Setting> {
  const facts = settingFacts.get(schema)
  if (facts !== undefined) {
    const variables = facts.fileOnly ? [] : [...(facts.variables ?? []), variableOf(path)]
    yield { ...facts, path: path.join('.'), variables }
    return
  }
  const inner = schema instanceof z.ZodPrefault ? (schema.unwrap() as z.ZodType) : schema
  if (!(inner instanceof z.ZodObject)) return
  for (const [name, member] of Object.entries(inner.shape))
    yield* settingsOf(member as z.ZodType, [...path, name])
}

/** The rule that makes names guessable: `consumer.batchRows` is `DAYMARK_CONSUMER_BATCH_ROWS`. */
function variableOf(path: readonly string[]): string {
  return ['daymark', ...path]
    .join('_')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toUpperCase()
}
