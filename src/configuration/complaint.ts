import type { z } from 'zod'
import type { Found } from './gather.ts'
import type { Setting } from './list-settings.ts'
import { mask } from './mask.ts'

/** Says what was expected of a setting, and what was found where. */
export function complaintOf(setting: Setting, found: Found, fileName: string): string {
  const from = { flag: 'the command line', environment: 'the environment', file: fileName }[found.from]
  return `expected ${found.key} to be ${setting.shape}, got ${valueText(setting, found.value)} (from ${from})`
}

/** Says that a setting is needed and where it can be set. */
export function missingComplaint(setting: Setting, why: string): string {
  return `expected ${setting.variables[0]} (${setting.path}) to be ${setting.shape}, got nothing: ${why}`
}

/** A value as it may be shown. */
export function valueText(setting: Setting, value: unknown): string {
  if (setting.secret) return mask(value)
  const text = JSON.stringify(value) ?? String(value)
  const quoted = typeof value === 'string' ? `'${value}'` : text
  return quoted.length > 200 ? `${quoted.slice(0, 200)}…` : quoted
}

/** The setting that an issue of the schema is about: its path, or the beginning of it for an item of a list. */
export function settingOfIssue(settings: readonly Setting[], issue: z.core.$ZodIssue): Setting | undefined {
  const path = issue.path.join('.')
  return settings.find((setting) => path === setting.path || path.startsWith(`${setting.path}.`))
}
