import type { Queryable } from '../postgres/queryable.ts'
import type { ConsumerSettings, IdentitySettings } from './consumer-settings.ts'
import { insertConsumerGroup } from './sql/insert-consumer-group.ts'
import { ConsumerStartError } from './start-error.ts'

/** The settings that make an event's key, as text. A function is only known to be one. */
export function fingerprintOf({ eventId, markerDay, idScope }: IdentitySettings): Record<string, string> {
  return {
    eventId: eventId.kind === 'header' ? `header:${eventId.name}` : eventId.kind,
    markerDay: typeof markerDay === 'function' ? 'function' : markerDay,
    idScope,
  }
}

/** Enters a new group with its identity settings; refuses a group that has others, by name. */
export async function pinIdentity(db: Queryable, settings: ConsumerSettings): Promise<void> {
  const wanted = fingerprintOf(settings)
  const pinned = await insertConsumerGroup(db, settings.group, wanted)
  const changed = Object.keys(wanted).filter((name) => pinned[name] !== wanted[name])
  if (changed.length === 0) return
  const found = changed.map((name) => `${name} is "${wanted[name]}" and was "${pinned[name]}"`).join(', ')
  throw new ConsumerStartError(
    `starting the group "${settings.group}": ${found}. Under other settings the same record has another key, ` +
      'so what was applied before would be applied again. Set them back, or begin a new group.',
  )
}
