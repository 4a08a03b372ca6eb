import { element, tableOf } from './element.js'
import { countText, durationText, minuteText } from './words.js'

/** The last steps of maintenance, the newest first. */
export function showRuns({ lastSteps, tables }) {
  const rows = lastSteps.map((step) => [
    minuteText(step.recordedAtMs),
    step.table,
    step.trigger,
    step.step,
    step.outcome,
    step.error === null ? step.reason : `${step.reason}: ${step.error}`,
    durationText(step.waitedMs),
    durationText(step.tookMs),
  ])
  const head = ['at', 'table', 'trigger', 'step', 'outcome', 'reason', 'waited#', 'took#']
  const success = tables.map(({ table, madeAtMs, removedAtMs }) =>
    element(
      'p',
      {},
      `${table}: the days ahead were last complete ${minuteText(madeAtMs)}, the removal ${minuteText(removedAtMs)}`,
    ),
  )
  show('runs', ...success, ...listOf('Table of the last steps', head, rows, 'No step was taken yet.'))
}

/** Dead letters by reason, and the newest. */
export function showDeadLetters({ deadLetters, newestDeadLetters }) {
  const counts = deadLetters.map(({ group, reason, waiting }) => [group, reason, countText(waiting)])
  const newest = newestDeadLetters.map((letter) => [
    minuteText(letter.failedAtMs),
    letter.reason,
    letter.eventId ?? '–',
    `${letter.topic}[${letter.partition}]@${letter.offset}`,
    letter.error ?? '–',
  ])
  const head = ['failed at', 'reason', 'event id', 'record', 'error']
  const more =
    newest.length === 0 ? [] : [element('h3', {}, 'The newest'), tableOf('Newest dead letters', head, newest)]
  show('dead', ...listOf('Dead letters by reason', ['group', 'reason', 'waiting#'], counts, 'None.'), ...more)
}

/** The settings as resolved. */
export function showSettings(settings) {
  const place = document.getElementById('settings')
  const isOpen = place.querySelector('details')?.open ?? false
  const rows = settings.map(({ path, value, from }) => [path, value === null ? '–' : String(value), from])
  const details = element(
    'details',
    {},
    element('summary', {}, `${rows.length} settings, secrets masked`),
    tableOf('Table of settings', ['setting', 'value', 'from'], rows),
  )
  details.open = isOpen
  show('settings', details)
}

function listOf(label, head, rows, empty) {
  return [rows.length === 0 ? element('p', {}, empty) : tableOf(label, head, rows)]
}

function show(id, ...children) {
  document.getElementById(id).replaceChildren(...children)
}
