import type { LoadedConfiguration } from './load-configuration.ts'
import { mask } from './mask.ts'

/** A setting as `config print` shows it. */
export type PrintedSetting = {
  readonly path: string
  /** As it was written; null where nothing is set and there is no default. */
  readonly value: unknown
  /** `--topics`, `KAFKA_TOPICS`, the file's name, or `default`. */
  readonly from: string
}

/** Every setting with its value and where that came from; secrets masked. */
export function printedSettings(loaded: LoadedConfiguration, fileName: string): PrintedSetting[] {
  return loaded.settings.map((setting) => {
    const found = loaded.found.get(setting.path)
    if (found === undefined) return { path: setting.path, value: setting.fallback ?? null, from: 'default' }
    const value = setting.secret ? mask(found.value) : found.value
    return { path: setting.path, value, from: found.from === 'file' ? fileName : found.key }
  })
}
