import type { Queryable } from '../../postgres/queryable.ts'

/** Rewrites the identity settings of a group, unless they have been changed meanwhile. True where it did. */
export async function updateIdentitySettings(
  db: Queryable,
  group: string,
  pinned: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update daymark.consumer_groups
        set identity_settings = $3::jsonb,
            updated_at = now()
      where consumer_group = $1::text and identity_settings = $2::jsonb`,
    [group, JSON.stringify(pinned), JSON.stringify(wanted)],
  )
  return rowCount === 1
}
