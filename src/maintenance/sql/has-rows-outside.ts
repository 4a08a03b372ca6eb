import { identifier, literal, qualified } from '../../postgres/identifier.ts'
import type { Queryable } from '../../postgres/queryable.ts'

type Range = {
  readonly schema: string
  readonly name: string
  readonly fromDay: string
  readonly untilDay: string
}

/**
 * Whether a table that was detached holds anything outside of the days it was for. A concurrent detach leaves a check
 * of the former bounds behind, by which the planner answers without reading a row, if `constraint_exclusion` lets it;
 * it needs the days as literals. Days at midnight UTC compare alike for all three types of key.
 */
export async function hasRowsOutside(tx: Queryable, keyColumn: string, range: Range): Promise<boolean> {
  await tx.query('set local constraint_exclusion = on')
  const { rows } = await tx.query<{ found: boolean }>(
    `select exists (
       select from ${qualified(range.schema, range.name)} t
        where t.${identifier(keyColumn)} < ${literal(range.fromDay)} or t.${identifier(keyColumn)} >= ${literal(range.untilDay)}
     ) as found`,
  )
  return rows[0]?.found === true
}
