import type { Queryable } from '../postgres/queryable.ts'
import type { Policy } from './policy.ts'
import { findMarkerTable } from './sql/find-marker-table.ts'
import { listTopics } from './sql/list-topics.ts'

/** The topics that feed a table: those of the configuration, and for the marker table those its consumers have read. */
export async function topicsOf(db: Queryable, policy: Policy): Promise<string[]> {
  const marker = await findMarkerTable(db)
  const isMarkerTable = marker?.schema === policy.schema && marker.table === policy.table
  const read = isMarkerTable ? await listTopics(db) : []
  return [...new Set([...policy.topics, ...read])].sort()
}
