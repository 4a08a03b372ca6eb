import { dayOf, minuteOf } from '../calendar/period.ts'
import { qualified } from '../postgres/identifier.ts'
import { ELDER_REST_MS, type Elder, fenceBeyond } from './elder.ts'
import { keepDay } from './keep-day.ts'
import { dropTable } from './partition-ddl.ts'
import type { Policy } from './policy.ts'
import { refusal } from './refusal.ts'
import type { Step } from './step.ts'
import type { TableView } from './table-view.ts'

/**
 * What becomes of the tables from before daymark. First no batch asks one any more, and a later run drops it: a batch
 * that has begun before may still be at it.
 */
export function planElders(policy: Policy, view: TableView): Step[] {
  return view.elders.map((elder) => planElder(policy, view, elder))
}

function planElder(policy: Policy, view: TableView, elder: Elder): Step {
  const { oid, schema, name, retiredMs } = elder
  const called = `${schema}.${name}`
  if (!elder.isThere) {
    return refusal(
      'remove',
      `the elder ${called} (OID ${oid}) is gone or has another name: every batch waits for it. Give it its name back, or, ` +
        'where its events cannot come again, delete its row from elders',
    )
  }
  const facts = { run: 'remove', partition: null, fromDay: null, untilDay: null, oid, schema, name } as const
  if (retiredMs === null) {
    const beyond = fenceBeyond(elder, policy.runwayDays)
    const written = `an old consumer last wrote into it on ${dayOf(elder.youngestMs) ?? 'no known day'}`
    if (beyond === null || view.fence === null || view.fence < beyond) {
      return keepDay(
        null,
        `keep ${called}, from before daymark: ${written}; it goes when days through ${beyond} are gone`,
      )
    }
    return {
      ...facts,
      kind: 'retire-elder',
      reason: `ask ${called} no more: ${written}, and days through ${view.fence} are refused as expired`,
      sql: [`update ${qualified(policy.schema, 'elders')} set retired_at = now() where table_oid = ${oid}`],
      lock: 'none that anybody waits for',
    }
  }
  const restsUntilMs = retiredMs + ELDER_REST_MS
  if (view.nowMs < restsUntilMs) {
    return keepDay(
      null,
      `keep ${called} until ${minuteOf(restsUntilMs)}: a batch that began before may still ask it`,
    )
  }
  const drop = dropTable({ schema, name })
  return {
    ...facts,
    kind: 'drop-elder',
    reason: `drop ${called}, from before daymark: no batch has asked it since ${minuteOf(retiredMs)}`,
    form: elder.form,
    retiredMs,
    drop,
    sql: [drop],
    lock: `access exclusive on ${called}, which no batch uses`,
  }
}
