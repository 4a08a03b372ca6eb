import { relative } from 'node:path'
import type { z } from 'zod'
import { complainOfMissing } from './complain-of-missing.ts'
import { complainOfTables } from './complain-of-tables.ts'
import { complainOfUnknownKeys, complainOfUnknownVariables } from './complain-of-unknown.ts'
import { complaintOf, settingOfIssue } from './complaint.ts'
import { complaintOfTable } from './complaint-of-table.ts'
import { ConfigError } from './config-error.ts'
import type { Configuration, Need } from './configuration.ts'
import { type Found, gather } from './gather.ts'
import { listSettings, type Setting } from './list-settings.ts'
import { resolveSettings } from './resolve-settings.ts'
import { configurationSchema } from './schema.ts'
import type { Source } from './source.ts'

/** A configuration, and where each of its values came from. */
export type LoadedConfiguration = {
  readonly configuration: Configuration
  readonly settings: readonly Setting[]
  readonly found: ReadonlyMap<string, Found>
}

/**
 * Makes the configuration out of its sources: a flag before a variable, a variable before the file, the file before
 * the default. Throws one {@link ConfigError} with everything that is wrong. `needs` says what may not be absent.
 */
export function loadConfiguration(source: Source, needs: readonly Need[]): LoadedConfiguration {
  const settings = listSettings()
  const fileName = source.file === null ? '' : relative(source.directory, source.file.path)
  const { found, complaints: unreadable } = gather(settings, source)
  const parsed = configurationSchema.safeParse(nest(found))
  const complaints = [
    ...unreadable,
    ...(source.file === null ? [] : complainOfUnknownKeys(source.file, settings, fileName)),
    ...complainOfUnknownVariables(source.variables, settings),
    ...(parsed.success ? complainOfTables(parsed.data, fileName) : []),
    ...(parsed.success ? [] : complaintsOfIssues(parsed.error.issues, settings, found, fileName)),
    ...complainOfMissing(settings, found, needs),
  ]
  if (complaints.length > 0 || !parsed.success) throw new ConfigError(complaints)
  return { configuration: freezeDeeply(resolveSettings(parsed.data, found, source)), settings, found }
}

/** In the order of the settings; two bad items of one list are one complaint, because it shows the whole list. */
function complaintsOfIssues(
  issues: readonly z.core.$ZodIssue[],
  settings: readonly Setting[],
  found: ReadonlyMap<string, Found>,
  fileName: string,
): string[] {
  const wrong = new Set(issues.map((issue) => settingOfIssue(settings, issue)))
  return settings.flatMap((setting) => {
    const value = found.get(setting.path)
    if (setting.fileOnly && value !== undefined && Array.isArray(value.value)) {
      const own = issues.filter((issue) => settingOfIssue(settings, issue) === setting)
      return own.map((issue) => complaintOfTable(issue, value, fileName))
    }
    return wrong.has(setting) && value !== undefined ? [complaintOf(setting, value, fileName)] : []
  })
}

/** The found values in the shape of the file. */
function nest(found: ReadonlyMap<string, Found>): object {
  const root: Record<string, unknown> = {}
  for (const [path, { value }] of found) {
    const names = path.split('.')
    let section = root
    for (const name of names.slice(0, -1)) {
      section[name] ??= {}
      section = section[name] as Record<string, unknown>
    }
    section[names[names.length - 1] ?? ''] = value
  }
  return root
}

function freezeDeeply<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) freezeDeeply(member)
  return Object.freeze(value)
}
