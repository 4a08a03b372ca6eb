import { svgElement } from './element.js'
import { durationText, minuteText } from './words.js'

const DAY_MS = 86_400_000
const LANE = 34
const TOP = 36
const SIDE = 8

/**
 * The timeline: a lane per table with a bar per day, a lane per topic with what the broker can deliver again, and lines
 * for now, the cut-off and the fence. The table beneath says the same, so it is an image to a screen reader.
 */
export function timelineOf(lanes, marks, nowMs, width) {
  const spans = lanes.flatMap(({ bars }) => bars)
  const fromMs =
    Math.min(nowMs - DAY_MS, ...spans.map((bar) => bar.fromMs), ...marks.map(({ atMs }) => atMs)) - DAY_MS / 4
  const untilMs = Math.max(nowMs + DAY_MS, ...spans.map((bar) => bar.untilMs)) + DAY_MS / 4
  const x = (instantMs) => SIDE + ((instantMs - fromMs) / (untilMs - fromMs)) * (width - 2 * SIDE)
  const height = TOP + lanes.length * (LANE + 18) + 22
  const label = `Days and replayable ranges from ${minuteText(fromMs)} to ${minuteText(untilMs)}; the table beneath says the same`
  const svg = svgElement('svg', {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
    'aria-label': label,
  })
  svg.append(hatching())
  const lines = [...marks, { name: 'now', atMs: nowMs }].sort((a, b) => a.atMs - b.atMs)
  svg.append(
    ...linesOf(lines, height, width, x),
    ...lanes.map((lane, at) => laneOf(lane, TOP + at * (LANE + 18), x)),
    ...datesOf(fromMs, untilMs, height, x),
  )
  return svg
}

function laneOf({ name, bars, tick }, top, x) {
  const group = svgElement('g', {}, svgElement('text', { x: SIDE, y: top + 12 }, name))
  for (const { fromMs, untilMs, state, title } of bars) {
    const width = Math.max(2, x(untilMs) - x(fromMs) - 2)
    const box = { x: x(fromMs) + 1, y: top + 18, width, height: LANE - 10, rx: 2, class: `bar ${state}` }
    group.append(svgElement('rect', box, svgElement('title', {}, title)))
  }
  if (tick !== undefined && tick !== null) {
    const title = svgElement('title', {}, `recorded up to ${minuteText(tick)}`)
    group.append(
      svgElement('rect', { x: x(tick) - 2, y: top + 15, width: 4, height: LANE - 4, class: 'tick' }, title),
    )
  }
  return group
}

/** Names that would meet stand in two rows. */
function linesOf(lines, height, width, x) {
  const ends = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  return lines.map(({ name, atMs }) => {
    const at = x(atMs)
    const half = name.length * 3.6
    const middle = Math.min(width - half - 2, Math.max(half + 2, at))
    const row = middle - half > ends[0] + 4 ? 0 : 1
    ends[row] = middle + half
    return svgElement(
      'g',
      { class: `line ${name.split(' ')[0]}` },
      svgElement('line', { x1: at, x2: at, y1: 16 + row * 13, y2: height - 18 }),
      svgElement('text', { x: middle, y: 12 + row * 13, 'text-anchor': 'middle' }, name),
    )
  })
}

function datesOf(fromMs, untilMs, height, x) {
  const every = Math.max(1, Math.ceil(((untilMs - fromMs) / DAY_MS) * (52 / (x(untilMs) - x(fromMs)))))
  const texts = []
  for (let day = Math.ceil(fromMs / DAY_MS); day * DAY_MS < untilMs - DAY_MS / 2; day += every) {
    const date = new Date(day * DAY_MS).toISOString().slice(5, 10)
    texts.push(
      svgElement('text', { x: x(day * DAY_MS + DAY_MS / 2), y: height - 4, 'text-anchor': 'middle' }, date),
    )
  }
  return texts
}

function hatching() {
  const pattern = {
    id: 'hatch',
    width: 6,
    height: 6,
    patternUnits: 'userSpaceOnUse',
    patternTransform: 'rotate(45)',
  }
  const stripe = svgElement('rect', { width: 3, height: 6, class: 'stripe' })
  return svgElement('defs', {}, svgElement('pattern', pattern, stripe))
}

/** What is under the pointer, for people who hover. */
export function barTitle(day, state, rows) {
  return `${day}: ${state}${rows === null ? '' : `, about ${rows.toLocaleString('en')} rows`}`
}

/** A range of a topic as a sentence. */
export function rangeText(oldestMs, nowMs) {
  return oldestMs === null
    ? 'holds no record'
    : `reaches back ${durationText(nowMs - oldestMs)}, to ${minuteText(oldestMs)}`
}
