import type { LoadedConfiguration } from '../configuration/load-configuration.ts'
import { UsageError } from './usage-error.ts'

/** The group that is configured; null where none is. */
export function groupOf({ found }: LoadedConfiguration): string | null {
  const value = found.get('consumer.group')?.value
  return typeof value === 'string' ? value : null
}

/** The group that a command is about: it must be named. */
export function requireGroup(loaded: LoadedConfiguration): string {
  const group = groupOf(loaded)
  if (group !== null) return group
  throw new UsageError('expected a consumer group, got none: name it with --group or KAFKA_GROUP_ID')
}
