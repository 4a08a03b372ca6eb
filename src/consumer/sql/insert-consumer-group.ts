import type { Queryable } from '../../postgres/queryable.ts'

/** Enters a group with its identity settings, and returns those that it began with: its own, where it is new. */
export async function insertConsumerGroup(
  db: Queryable,
  group: string,
  identitySettings: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const { rows } = await db.query<{ identitySettings: Record<string, string> }>(
    `insert into daymark.consumer_groups as g (consumer_group, identity_settings)
     values ($1::text, $2::jsonb)
     on conflict (consumer_group) do update set updated_at = now()
     returning g.identity_settings as "identitySettings"`,
    [group, JSON.stringify(identitySettings)],
  )
  return rows[0]?.identitySettings ?? {}
}
