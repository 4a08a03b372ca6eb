import type { z } from 'zod'
import type { Found } from './gather.ts'
import { nearestName } from './nearest-name.ts'
import { tableShape } from './section/tables-section.ts'
import { settingFacts } from './setting.ts'

/** Says what is wrong with one of the `tables`: which one, which of its settings, and what was found. */
export function complaintOfTable(issue: z.core.$ZodIssue, found: Found, fileName: string): string {
  const [, index, name] = issue.path.map(String)
  const item = `tables[${index}]`
  if (issue.code === 'unrecognized_keys' && name === undefined) {
    const [key = ''] = issue.keys
    const nearest = nearestName(key, Object.keys(tableShape))
    const guess = nearest === null ? '' : `: did you mean '${nearest}'?`
    return `expected a setting of ${item}, got '${key}' (from ${fileName})${guess}`
  }
  const value = Array.isArray(found.value) ? found.value[Number(index)] : undefined
  const schema = name === undefined ? undefined : tableShape[name]
  const facts = schema === undefined ? undefined : settingFacts.get(schema)
  if (name === undefined || facts === undefined)
    return `expected ${item} to be an object with a table, got ${shown(value)} (from ${fileName})`
  return `expected ${item}.${name} to be ${facts.shape}, got ${shown(value?.[name])} (from ${fileName})`
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 200)
}
