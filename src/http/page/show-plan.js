import { element } from './element.js'
import { durationText } from './words.js'

const KINDS = { 'keep-day': 'stays', refuse: 'refused: a person must act' }

/** The steps that wait until everybody who uses the table is through; they hold up none of them. */
const WAITING = ['remove-day', 'finish-detach']

/** What the worker will do to each table: reason, lock and SQL of each step, as `daymark plan` prints it. */
export function showPlan(plans, complaint) {
  const place = document.getElementById('plan')
  if (plans.length === 0) {
    place.replaceChildren(
      element('p', {}, complaint === null ? 'No table is looked after.' : `Not known: ${complaint}`),
    )
    return
  }
  place.replaceChildren(...plans.map(planOf))
}

function planOf({ schema, table, steps, warnings, holders }) {
  const waits = steps.some(({ kind }) => WAITING.includes(kind))
  const notes = [
    ...warnings.map((text) => element('li', { class: 'warning' }, `▲ ${text}`)),
    ...(waits ? holders.map((holder) => element('li', {}, holderText(holder))) : []),
  ]
  const work = steps.map((step) =>
    element(
      'li',
      {},
      element('strong', {}, KINDS[step.kind] ?? step.kind.replaceAll('-', ' ')),
      ` ${step.partition ?? ''} – ${step.reason}`,
      ...(step.sql.length === 0 ? [] : [sqlOf(step)]),
    ),
  )
  const nothing = steps.length === 0 ? [element('p', {}, 'Nothing to do.')] : []
  return element(
    'div',
    {},
    element('h3', {}, `${schema}.${table}`),
    element('ul', {}, ...notes),
    ...nothing,
    element('ol', {}, ...work),
  )
}

function holderText({ pid, user, application, state, ageMs, queryStartedAt }) {
  const who = pid === 0 ? 'a prepared transaction' : `process ${pid}`
  const facts = [
    user === null ? '' : `user ${user}`,
    application,
    state,
    ageMs === null ? '' : `for ${durationText(ageMs)}`,
    queryStartedAt === null ? '' : `last statement at ${queryStartedAt}`,
  ].filter((fact) => fact !== null && fact !== '')
  return `In use by ${who} (${facts.join(', ')}): a drop would wait until its transaction ends.`
}

function sqlOf({ sql, lock, partition }) {
  const text = element(
    'pre',
    { tabindex: 0, role: 'region', 'aria-label': `SQL for ${partition ?? 'the table'}` },
    sql.join(';\n'),
  )
  return element('details', {}, element('summary', {}, `SQL; lock: ${lock}`), text)
}
