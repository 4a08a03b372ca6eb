import type { Queryable } from '../../postgres/queryable.ts'

/** Has PostgreSQL read a user's query as a part of ours, and run none of it. */
export async function probeEffects(db: Queryable, effects: string, withDay: boolean): Promise<void> {
  const day = withDay ? ', e.day::date' : ''
  await db.query(`explain select e.event_id::text collate "C"${day} from (\n${effects}\n) as e`)
}
