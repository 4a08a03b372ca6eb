import type { Queryable } from '../../postgres/queryable.ts'

/** Every group that has consumed into this database, with the topics that it has read. */
export async function listKnownGroups(
  db: Queryable,
): Promise<{ readonly group: string; readonly topics: readonly string[] }[]> {
  const { rows } = await db.query<{ group: string; topics: string[] }>(
    `select g.consumer_group as "group",
            array(
              select distinct p.topic
                from daymark.consumer_progress p
               where p.consumer_group = g.consumer_group
               order by 1
            ) as topics
       from daymark.consumer_groups g
      order by g.consumer_group`,
  )
  return rows
}
