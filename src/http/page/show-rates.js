import { element, svgElement } from './element.js'

const WIDTH = 360
const HEIGHT = 60

/** A small chart per outcome over the last quarter of an hour. */
export function showRates(rates) {
  const place = document.getElementById('rates')
  if (rates === null) {
    place.replaceChildren(element('p', {}, 'This process does not consume.'))
    return
  }
  const charts = ['processed', 'duplicate', 'dead'].map((outcome) => chartOf(outcome, rates))
  place.replaceChildren(element('div', { class: 'charts' }, ...charts))
}

function chartOf(outcome, { bucketMs, buckets }) {
  const values = buckets.slice(0, -1).map((bucket) => (bucket[outcome] * 1000) / bucketMs)
  const most = Math.max(1, ...values)
  const points = values.map(
    (value, at) => `${(at * WIDTH) / (values.length - 1)},${HEIGHT - 1 - (value / most) * (HEIGHT - 4)}`,
  )
  const label = `${outcome}: ${values.at(-1).toFixed(1)}/s, at most ${Math.max(...values).toFixed(1)}/s in 15 min`
  const svg = svgElement('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
  })
  svg.append(svgElement('polyline', { points: points.join(' '), class: `curve ${outcome}` }))
  return element('figure', {}, element('figcaption', {}, label), svg)
}
