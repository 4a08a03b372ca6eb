import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { eventIds, payment } from '../support/payments.ts'
import type { Prometheus } from '../support/prometheus.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'
import { startWatchedPipeline } from '../support/watched-pipeline.ts'

type Place = { readonly h: number; readonly w: number; readonly x: number; readonly y: number }
type Panel = {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly gridPos: Place
  readonly targets?: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[]
}
type Dashboard = {
  readonly uid: string
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] }
}

const TEXT = readFileSync(new URL('../../deploy/grafana/daymark.json', import.meta.url), 'utf8')
const DASHBOARD = JSON.parse(TEXT) as Dashboard
const SHOWN = DASHBOARD.panels.filter(({ type }) => type !== 'row')

/** Figures of Node itself, and those that only a further kind of table, or a wait that is over, brings. */
const NOT_SHOWN =
  /^(nodejs_|process_|scrape_|ALERTS)|^up$|_seconds_(sum|count)$|^daymark_(waits|pruned_rows)_total$/

/** As Grafana fills them in, for a run of half a minute in which everything is chosen. */
function withVariables(expression: string): string {
  const filled = expression.replaceAll('$__rate_interval', '20s').replaceAll(/\$(job|table)\b/g, '.*')
  assert.doesNotMatch(filled, /\$/)
  return filled
}

test('every panel has a name, a sentence, a place of its own, and the chosen data source', () => {
  assert.equal(DASHBOARD.uid, 'daymark')
  const ids = DASHBOARD.panels.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  const taken = new Set<string>()
  for (const { title, gridPos } of DASHBOARD.panels) {
    assert.ok(gridPos.x + gridPos.w <= 24, title)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.ok(!taken.has(`${x} ${y}`), `${title} covers another`)
        taken.add(`${x} ${y}`)
      }
    }
  }
  for (const { title, description, targets } of SHOWN) {
    assert.match(description ?? '', /\.$/, title)
    assert.ok(targets !== undefined && targets.length > 0, title)
    for (const { datasource } of targets) assert.match(datasource.uid, /^\$\{datasource\}$/, title)
  }
})

test('promtool takes every expression', () => {
  using scratch = makeScratchDirectory()
  const file = join(scratch.path, 'panels.json')
  const rules = SHOWN.flatMap(({ targets = [] }) => targets).map(({ expr }, number) => ({
    record: `panel:${number}`,
    expr: withVariables(expr),
  }))
  // JSON is YAML too.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
})

test('a real run fills every panel and every choice, and each of our metrics is on a panel', async () => {
  await using pipeline = await startWatchedPipeline('groups: []')
  const { prometheus } = pipeline
  let sent = 0
  await eventually('a rate of everything', async () => {
    await pipeline.send(eventIds(`panel-${sent++}`, 50).map((id) => payment(id)))
    const samples = await prometheus.query('min(count_over_time(up[1m]))')
    return (samples[0]?.value ?? 0) >= 8
  })
  for (const { title, targets = [] } of SHOWN) {
    for (const { expr } of targets) {
      await eventually(`data for ${title}`, () => assertData(prometheus, withVariables(expr)), 10_000)
    }
  }
  for (const { name, definition } of DASHBOARD.templating.list.filter((each) => 'definition' in each)) {
    const [, metric = ''] = /^label_values\((\w+), \w+\)$/.exec(definition ?? '') ?? []
    const values = await prometheus.query(`count by (${name}) (${metric})`)
    assert.ok(
      values.some(({ labels }) => labels[name] !== undefined),
      name,
    )
  }
  const scraped = await prometheus.query('{job="daymark"}')
  const names = new Set(scraped.map(({ name }) => name).filter((name) => !NOT_SHOWN.test(name)))
  assert.ok(names.size >= 20)
  for (const name of names) assert.ok(TEXT.includes(`${name}{`), `${name} is on no panel`)
})

async function assertData(prometheus: Prometheus, expression: string): Promise<true> {
  const samples = await prometheus.query(expression)
  assert.ok(samples.length > 0, expression)
  for (const { value } of samples) assert.ok(Number.isFinite(value), `${expression} is ${value}`)
  return true
}
