import { element, tableOf } from './element.js'
import { countText, durationText } from './words.js'

/** The lag and progress that were shown last, to tell where each is going. @type {Map<string, {lag: number, next: bigint, atMs: number}>} */
let before = new Map()

/** A row per group and topic partition. Lag and rate are compared with the reading before. */
export function showConsumer({ groups, nowMs }) {
  const place = document.getElementById('consumer')
  if (groups.length === 0) {
    place.replaceChildren(element('p', {}, 'No group has consumed yet.'))
    return
  }
  const after = new Map()
  const rows = groups.map((group) => {
    const key = JSON.stringify([group.group, group.topic, group.partition])
    const now = { lag: group.broker?.lag ?? 0, next: BigInt(group.nextOffset), atMs: nowMs }
    const last = before.get(key)
    after.set(key, last?.atMs === nowMs ? { ...now, ...last } : now)
    return rowOf(group, nowMs, last, now)
  })
  if ([...before.values()][0]?.atMs !== nowMs) before = after
  const lag = groups.reduce((sum, { broker }) => sum + (broker?.lag ?? 0), 0)
  const isAsked = groups.some(({ broker }) => broker !== null)
  const head = [
    'group',
    'topic',
    'partition#',
    'low#',
    'committed#',
    'progress#',
    'high#',
    'lag#',
    'behind#',
    'rate#',
    'trend',
    'lost#',
  ]
  place.replaceChildren(
    element(
      'p',
      {},
      isAsked
        ? `${countText(lag)} records wait in all.`
        : 'The broker could not be asked: the lag is not known.',
    ),
    tableOf('Topic partitions', head, rows),
  )
}

function rowOf({ broker, ...group }, nowMs, last, now) {
  const behindMs = broker === null || broker.lag === 0 ? 0 : nowMs - (group.recordTimestampMs ?? nowMs)
  return [
    group.group,
    group.topic,
    String(group.partition),
    broker?.low ?? '?',
    broker === null ? '?' : (broker.committedOffset ?? 'no commit yet'),
    group.nextOffset,
    broker?.high ?? '?',
    broker === null ? '?' : countText(broker.lag),
    broker === null ? '?' : behindMs === 0 ? '–' : durationText(behindMs),
    rateText(last, now),
    broker === null ? '?' : trendText(last, now),
    group.lostRecords,
  ]
}

function rateText(last, now) {
  if (last === undefined || last.atMs >= now.atMs) return '…'
  return `${((Number(now.next - last.next) * 1000) / (now.atMs - last.atMs)).toFixed(1)}/s`
}

function trendText(last, now) {
  if (now.lag === 0) return '✔ up to date'
  if (last === undefined || last.atMs >= now.atMs) return '…'
  if (now.lag < last.lag) return '↘ catching up'
  return now.lag > last.lag ? '↗ falling behind' : '→ steady'
}
