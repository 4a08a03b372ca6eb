import type { PlanNode } from './sql/explain-statement.ts'

/** What makes one row of several. */
const FOLDING: ReadonlySet<string> = new Set(['Aggregate', 'Group', 'Unique'])

/** Joins that ask only whether there is a row. */
const ASKING: ReadonlySet<string> = new Set(['Semi', 'Anti', 'Right Semi', 'Right Anti'])

const CONDITIONS = ['Hash Cond', 'Merge Cond', 'Join Filter', 'Index Cond', 'Filter'] as const

/**
 * A warning where the plan of an effect statement holds an UPDATE that meets the rows of `events` as they are. UPDATE
 * applies only one of several rows that meet the same target (https://www.postgresql.org/docs/18/sql-update.html), so
 * two events for one account in one batch would add only one of them. What is aggregated first, only asked whether it
 * exists, or met by its own id, which no two events of a batch share, is left in peace. Null where there is none.
 */
export function updateWarning(plan: PlanNode): string | null {
  const target = updatesOf(plan).find((update) => childrenOf(update).some((child) => meetsEvents(child, [])))
  if (target === undefined) return null
  return (
    `the effect statement updates ${target['Relation Name'] ?? 'a table'} from the rows of events as they are: of several ` +
    'events of a batch for one row, UPDATE applies only one. Aggregate them first: update … from (select …, sum(…) from events group by …)'
  )
}

function updatesOf(node: PlanNode): PlanNode[] {
  const own = node['Node Type'] === 'ModifyTable' && node.Operation === 'Update' ? [node] : []
  return [...own, ...(node.Plans ?? []).flatMap(updatesOf)]
}

/** A subquery in an expression gives one value for each row, or fails. */
function childrenOf(node: PlanNode): PlanNode[] {
  return (node.Plans ?? []).filter((child) => child['Parent Relationship'] !== 'SubPlan')
}

function meetsEvents(node: PlanNode, conditions: readonly string[]): boolean {
  if (FOLDING.has(node['Node Type']) || ASKING.has(node['Join Type'] ?? '')) return false
  const all = [...conditions, ...conditionsBelow(node)]
  if (node['Node Type'] === 'CTE Scan' && node['CTE Name'] === 'events') return !isMetById(node.Alias, all)
  return childrenOf(node).some((child) => meetsEvents(child, all))
}

/** Its own conditions, and those of its direct children: a nested loop has its condition in the scan inside of it. */
function conditionsBelow(node: PlanNode): string[] {
  return [node, ...(node.Plans ?? [])].flatMap((each) =>
    CONDITIONS.map((name) => each[name]).filter((text) => text !== undefined),
  )
}

function isMetById(alias: string | undefined, conditions: readonly string[]): boolean {
  const id = `${alias ?? 'events'}.event_id`
  return conditions.some((text) => text.includes(`= ${id}`) || text.includes(`${id} =`))
}
