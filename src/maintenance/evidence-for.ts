import type { Queryable } from '../postgres/queryable.ts'
import type { TopicEvidence } from './evidence.ts'
import { type EvidenceSources, gatherEvidence } from './gather-evidence.ts'
import type { Policy, RunKind } from './policy.ts'
import { rememberTopics } from './remember-topics.ts'
import type { TableView } from './table-view.ts'

/**
 * The evidence that a kind of run needs, remembered for later ones. Days are made without asking the broker, but for the
 * first fence.
 */
export async function evidenceFor(
  sources: Omit<EvidenceSources, 'db'>,
  db: Queryable,
  policy: Policy,
  view: TableView,
  kind: RunKind,
): Promise<TopicEvidence[]> {
  if (kind === 'make' && (view.fence !== null || policy.unpartitioned !== null)) return []
  const topics = await gatherEvidence({ kafka: sources.kafka, log: sources.log, db }, policy, view)
  await rememberTopics(db, topics, view)
  return topics
}
