import { element } from './element.js'

const KINDS = { 'keep-day': 'stays', refuse: 'refused: a person must act' }

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

function planOf({ schema, table, steps, warnings }) {
  const notes = warnings.map((text) => element('li', { class: 'warning' }, `▲ ${text}`))
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

function sqlOf({ sql, lock, partition }) {
  const text = element(
    'pre',
    { tabindex: 0, role: 'region', 'aria-label': `SQL for ${partition ?? 'the table'}` },
    sql.join(';\n'),
  )
  return element('details', {}, element('summary', {}, `SQL; lock: ${lock}`), text)
}
