import type { Day } from '../../calendar/period.ts'
import type { Queryable } from '../../postgres/queryable.ts'
import type { EffectsQuery } from '../effects-query.ts'

/** Markers and effects of one day, side by side. What an effect without a day belongs to, only its marker can tell. */
export type DayComparison = {
  /** One per event: without second markers near midnight, and without events that were set aside. */
  readonly markers: number
  /** Events that have effects, however many each. */
  readonly effects: number
  readonly missing: number
  /** Null where effects carry no day: one without a marker may be of any day, also of one that was dropped. */
  readonly unmarked: number | null
  /** The first ids of each kind, in their order. */
  readonly missingIds: readonly string[]
  readonly unmarkedIds: readonly string[]
}

/**
 * Compares one day in one statement: one snapshot of both sides, so that a consumer which is at work meanwhile makes
 * no difference, and one partition, which is locked for no longer than that. What is set aside has markers and no
 * effects, until it is replayed.
 */
export async function compareDay(
  db: Queryable,
  group: string,
  day: Day,
  effects: EffectsQuery,
  limit: number,
): Promise<DayComparison> {
  const { rows } = await db.query<DayComparison>(textOf(effects), [group, day, limit, effects.hasDay])
  const [row] = rows
  if (row === undefined) throw new Error('comparing a day: the database answered no row')
  return row
}

function textOf({ text, hasDay }: EffectsQuery): string {
  return `
with marker as (
  select p.event_id
    from daymark.processed_events p
   where p.consumer_group = $1::text
     and p.marker_day = $2::date
     and not p.overlap
     and not exists (
       select
         from daymark.dead_letters d
        where d.consumer_group = $1::text
          and d.marker_day = $2::date
          and d.event_id = p.event_id
          and d.replay_outcome is distinct from 'processed'
          and d.replay_outcome is distinct from 'duplicate'
     )
), effect as (
  select distinct e.event_id::text collate "C" as event_id
    from (
${text}
    ) as e
   where e.event_id is not null
     and ${hasDay ? 'e.day::date = $2::date' : 'e.event_id::text in (select m.event_id from marker m)'}
), compared as materialized (
  select m.event_id as marker_id, e.event_id as effect_id
    from marker m
    full join effect e on e.event_id = m.event_id
)
select count(marker_id)::double precision as markers,
       count(effect_id)::double precision as effects,
       (count(*) filter (where effect_id is null))::double precision as missing,
       case when $4::boolean then (count(*) filter (where marker_id is null))::double precision end as unmarked,
       array(
         select c.marker_id from compared c where c.effect_id is null order by 1 limit $3::integer
       ) as "missingIds",
       array(
         select c.effect_id from compared c where c.marker_id is null order by 1 limit $3::integer
       ) as "unmarkedIds"
  from compared
`
}
