import { jobSchemaOf } from '../postgres/database-settings.ts'

/** What a role may do with one table. */
export type TableGrant = {
  readonly schema: string
  readonly table: string
  readonly privileges: readonly ('select' | 'insert' | 'update' | 'delete')[]
}

/**
 * All that a consumer's role needs, and nothing more: printed by `migrate --print-grants`, and compared with what the role
 * has by `check`. It makes and drops nothing, cannot move the fence, and cannot settle a dead letter.
 */
export function consumerGrants(schema: string): TableGrant[] {
  const jobs = jobSchemaOf(schema)
  return [
    // Markers that a duplicate did insert are deleted again in the same transaction.
    { schema, table: 'processed_events', privileges: ['select', 'insert', 'delete'] },
    { schema, table: 'consumer_groups', privileges: ['select', 'insert', 'update'] },
    { schema, table: 'consumer_progress', privileges: ['select', 'insert', 'update'] },
    { schema, table: 'dead_letters', privileges: ['select', 'insert'] },
    { schema, table: 'producer_sequences', privileges: ['select', 'insert', 'update', 'delete'] },
    { schema, table: 'maintained_tables', privileges: ['select'] },
    { schema, table: 'elders', privileges: ['select'] },
    // For its page and its metrics.
    { schema, table: 'topic_retentions', privileges: ['select'] },
    { schema, table: 'partitions_to_drop', privileges: ['select'] },
    { schema, table: 'maintenance_runs', privileges: ['select'] },
    // To ask for a run, where tomorrow has no partition.
    { schema: jobs, table: 'version', privileges: ['select'] },
    { schema: jobs, table: 'queue', privileges: ['select'] },
    { schema: jobs, table: 'job_common', privileges: ['select', 'insert'] },
  ]
}
