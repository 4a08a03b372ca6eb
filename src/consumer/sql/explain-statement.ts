import type { Queryable } from '../../postgres/queryable.ts'

type ExplainRow = { readonly 'QUERY PLAN': readonly { readonly Plan: { readonly 'Node Type': string } }[] }

/** Plans a statement without running it, and returns the kind of its topmost node: ModifyTable where it writes. */
export async function explainStatement(
  db: Queryable,
  statement: string,
  parameters: readonly unknown[],
): Promise<string> {
  const { rows } = await db.query<ExplainRow>(`explain (format json) ${statement}`, parameters)
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Node Type'] ?? ''
}
