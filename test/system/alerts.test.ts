import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const DIRECTORY = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url))
const ALERTS = readFileSync(`${DIRECTORY}alerts.yaml`, 'utf8')

for (const [promise, args] of [
  ['Prometheus takes the alarms', ['check', 'rules', 'alerts.yaml']],
  ['no alarm fires while all is well, and each does on its own fault', ['test', 'rules', 'alerts.test.yaml']],
] as const) {
  test(promise, () => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: DIRECTORY, encoding: 'utf8' })
    assert.equal(status, 0, `${stdout}${stderr}`)
  })
}

test('every alarm leads to a heading of the page for the person on call', () => {
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  )
  const links = [...ALERTS.matchAll(/runbook_url: docs\/operations\.md#(\S+)/g)].map(([, anchor]) => anchor)
  assert.equal(links.length, [...ALERTS.matchAll(/- alert:/g)].length)
  for (const link of links) assert.ok(anchors.includes(link ?? ''), link)
})
