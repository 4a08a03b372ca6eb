import { element, tableOf } from './element.js'
import { barTitle, rangeText, timelineOf } from './timeline.js'
import { countText } from './words.js'

const DAY_MS = 86_400_000
const WORDS = { 'detach-pending': 'detach pending' }

/** The timeline, its legend, and the same as a table. */
export function showTimeline(state, plans) {
  const place = document.getElementById('timeline')
  const due = new Set(plans.flatMap(({ schema, table, steps }) => dueDays(`${schema}.${table}`, steps)))
  const tables = state.tables.map((table) => ({
    ...table,
    days: table.days.map((day) => withDue(table.table, day, due)),
  }))
  const lanes = [...tables.map(tableLane), ...state.topicRanges.map((range) => topicLane(range, state))]
  const width = Math.max(320, place.clientWidth)
  const isOpen = place.querySelector('details')?.open ?? false
  const states = [...new Set(tables.flatMap(({ days }) => days.map((day) => day.state))), 'replayable']
  const legend = states.map((name) =>
    element('li', {}, element('i', { class: `swatch ${name}` }), WORDS[name] ?? name),
  )
  const rows = tables.flatMap(({ table, days }) =>
    days.map((day) => [
      table,
      day.day,
      WORDS[day.state] ?? day.state,
      countText(day.estimatedRows),
      day.partition ?? '–',
    ]),
  )
  const details = element(
    'details',
    {},
    element('summary', {}, 'The same as a table'),
    tableOf('Table of days', ['table', 'day', 'state', 'rows, about#', 'partition'], rows),
    element('ul', {}, ...factsOf(state).map((text) => element('li', {}, text))),
  )
  details.open = isOpen
  place.replaceChildren(
    timelineOf(lanes, marksOf(state, plans), state.nowMs, width),
    element('ul', { class: 'legend' }, ...legend),
    details,
  )
}

function dueDays(table, steps) {
  return steps.filter(({ kind }) => kind === 'remove-day').map(({ fromDay }) => `${table} ${fromDay}`)
}

function withDue(table, day, due) {
  return day.state === 'kept' && due.has(`${table} ${day.day}`) ? { ...day, state: 'due' } : day
}

function tableLane({ table, days }) {
  const bars = days.map(({ day, state, estimatedRows }) => {
    const fromMs = Date.parse(day)
    return {
      fromMs,
      untilMs: fromMs + DAY_MS,
      state,
      title: barTitle(day, WORDS[state] ?? state, estimatedRows),
    }
  })
  return { name: table, bars }
}

function topicLane({ topic, oldestMs }, state) {
  const title = `${topic} ${rangeText(oldestMs, state.nowMs)}`
  const bars =
    oldestMs === null ? [] : [{ fromMs: oldestMs, untilMs: state.nowMs, state: 'replayable', title }]
  const recorded = state.groups.filter((row) => row.topic === topic && row.recordTimestampMs !== null)
  const tick = recorded.length === 0 ? null : Math.min(...recorded.map((row) => row.recordTimestampMs))
  return { name: `topic ${topic}`, bars, tick }
}

function marksOf({ tables, nowMs }, plans) {
  const [table] = tables
  const retention = plans[0]?.retention
  const marks = []
  if (table?.fence) marks.push({ name: 'fence', atMs: Date.parse(table.fence) + DAY_MS })
  if (retention?.known) marks.push({ name: 'cut-off', atMs: nowMs - retention.ms })
  return marks
}

function factsOf({ tables, topicRanges, nowMs }) {
  return [
    ...tables.map(({ table, fence }) => `${table}: ${fence ? `the fence is ${fence}` : 'no fence yet'}`),
    ...topicRanges.map(({ topic, oldestMs }) => `topic ${topic} ${rangeText(oldestMs, nowMs)}`),
  ]
}
