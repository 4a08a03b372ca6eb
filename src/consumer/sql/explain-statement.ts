import type { Queryable } from '../../postgres/queryable.ts'

/** A plan as JSON, and the kind of its topmost node: ModifyTable where the statement writes. */
export type Explanation = { readonly node: string; readonly text: string }

type PlanRow = { readonly 'QUERY PLAN': readonly { readonly Plan: { readonly 'Node Type': string } }[] }

/** Plans a statement without running it. */
export async function explainStatement(
  db: Queryable,
  statement: string,
  parameters: readonly unknown[],
): Promise<Explanation> {
  const { rows } = await db.query<PlanRow>(`explain (verbose, format json) ${statement}`, parameters)
  return { node: rows[0]?.['QUERY PLAN'][0]?.Plan['Node Type'] ?? '', text: JSON.stringify(rows) }
}
