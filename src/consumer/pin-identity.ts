import type { Queryable } from '../postgres/queryable.ts'
import type { Log } from '../process/log.ts'
import type { ConsumerSettings, IdentitySettings } from './consumer-settings.ts'
import { insertConsumerGroup } from './sql/insert-consumer-group.ts'
import { updateIdentitySettings } from './sql/update-identity-settings.ts'
import { ConsumerStartError } from './start-error.ts'

/** The settings that make an event's key, as text. A function is only known to be one. */
export function fingerprintOf({ eventId, markerDay, idScope }: IdentitySettings): Record<string, string> {
  return {
    eventId: eventId.kind === 'header' ? `header:${eventId.name}` : eventId.kind,
    markerDay: typeof markerDay === 'function' ? 'function' : markerDay,
    idScope,
  }
}

/** What the acceptance of a change lets happen. */
const RISK =
  'Under other settings the same record has another key, so records that are delivered again across the change, by a ' +
  'crash, a rebalance or a rewind, are applied a second time'

/**
 * Enters a new group with its identity settings; refuses a group that has others, by name. Changes that are accepted
 * by name are written down instead, and a member that still has the old settings is refused from then on.
 */
export async function pinIdentity(db: Queryable, settings: ConsumerSettings, log: Log): Promise<void> {
  const { group, acceptIdentityChange } = settings
  const wanted = fingerprintOf(settings)
  const pinned = await insertConsumerGroup(db, group, wanted)
  const changed = Object.keys(wanted).filter((name) => pinned[name] !== wanted[name])
  if (changed.length === 0) return
  const refused = changed.filter((name) => !acceptIdentityChange.some((accepted) => accepted === name))
  if (refused.length > 0) throw refusalOf(group, pinned, wanted, changed)
  // Another member has changed them at the same moment: to the same, or this one is refused now.
  if (!(await updateIdentitySettings(db, group, pinned, wanted))) return pinIdentity(db, settings, log)
  log.warn(
    { consumer_group: group, was: pinned, is: wanted, risk: RISK },
    'a change of identity was accepted',
  )
}

function refusalOf(
  group: string,
  pinned: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
  changed: readonly string[],
): ConsumerStartError {
  const found = changed.map((name) => `${name} is "${wanted[name]}" and was "${pinned[name]}"`).join(', ')
  return new ConsumerStartError(
    `starting the group "${group}": ${found}. ${RISK}. Set them back, or begin a new group, or accept that with ` +
      `--accept-identity-change ${changed.join(',')} once every member has stopped and its lag is zero.`,
  )
}
