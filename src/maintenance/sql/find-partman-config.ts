import { qualified } from '../../postgres/identifier.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/** What pg_partman has been told about a table. */
export type PartmanConfig = {
  readonly partitionInterval: string
  readonly retention: string | null
  readonly premake: number
}

/** Null where pg_partman does not look after the table. It writes names as they are, without quotes. */
export async function findPartmanConfig(
  db: Queryable,
  partmanSchema: string,
  table: string,
): Promise<PartmanConfig | null> {
  const { rows } = await db.query<PartmanConfig>(
    `select partition_interval as "partitionInterval", retention, premake
       from ${qualified(partmanSchema, 'part_config')}
      where parent_table = $1::text`,
    [table],
  )
  return rows[0] ?? null
}
