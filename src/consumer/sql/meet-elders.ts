import { arrayText } from '../../postgres/array-text.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/** The ids among these that a table from before daymark knows; the others are known to it from now on. */
export async function meetElders(
  tx: Queryable,
  asked: {
    readonly group: string
    readonly topic: string
    readonly partition: number
    readonly eventIds: readonly string[]
    readonly offsets: readonly string[]
    /** Ids that have their topic in front of them are no elder's. */
    readonly idsHaveTopic: boolean
  },
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from daymark.meet_elders($1::text, $2::text, $3::integer, $4::text[], $5::bigint[], $6::boolean) as id`,
    [
      asked.group,
      asked.topic,
      asked.partition,
      arrayText(asked.eventIds),
      `{${asked.offsets.join(',')}}`,
      asked.idsHaveTopic,
    ],
  )
  return rows.map(({ id }) => id)
}
