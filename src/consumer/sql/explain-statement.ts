import type { Queryable } from '../../postgres/queryable.ts'

/** A plan, its topmost node first: ModifyTable where the statement writes; and the whole answer as JSON. */
export type Explanation = { readonly plan: PlanNode; readonly text: string }

/** A node of a plan, as far as it is read: https://www.postgresql.org/docs/18/using-explain.html */
export type PlanNode = {
  readonly 'Node Type': string
  readonly Operation?: string
  readonly 'Relation Name'?: string
  readonly 'Parent Relationship'?: string
  readonly 'Join Type'?: string
  readonly 'CTE Name'?: string
  readonly Alias?: string
  readonly 'Hash Cond'?: string
  readonly 'Merge Cond'?: string
  readonly 'Join Filter'?: string
  readonly 'Index Cond'?: string
  readonly Filter?: string
  readonly Plans?: readonly PlanNode[]
}

type PlanRow = { readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }

/** Plans a statement without running it. */
export async function explainStatement(
  db: Queryable,
  statement: string,
  parameters: readonly unknown[],
): Promise<Explanation> {
  const { rows } = await db.query<PlanRow>(`explain (verbose, format json) ${statement}`, parameters)
  return { plan: rows[0]?.['QUERY PLAN'][0]?.Plan ?? { 'Node Type': '' }, text: JSON.stringify(rows) }
}
