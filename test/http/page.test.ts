import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import type { Credentials } from '../../src/http/credentials.ts'
import { type HttpServer, startHttpServer } from '../../src/http/http-server.ts'
import { keepAnswer } from '../../src/http/kept-answer.ts'
import { openMetrics } from '../../src/http/metrics.ts'
import type { PageSource } from '../../src/http/page-source.ts'
import { silentLog } from '../../src/process/log.ts'

function start(given: { readonly page?: Partial<PageSource>; readonly credentials?: Credentials } = {}) {
  const readNothing = async () => ({})
  return startHttpServer({
    host: '127.0.0.1',
    port: 0,
    credentials: given.credentials ?? null,
    liveness: () => [],
    readiness: () => [],
    metrics: openMetrics(['daymark.processed_events'], silentLog),
    page: {
      readState: async () => ({ tables: [] }),
      readPlans: readNothing,
      readSettings: readNothing,
      readRates: readNothing,
      ...given.page,
    },
  })
}

/** Sends a path as it stands: fetch would take its dots away. */
async function ask(server: HttpServer, path: string, method = 'GET') {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const { hostname, port } = new URL(server.address)
  request({ hostname, port, path, method }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
  })
    .on('error', reject)
    .end()
  return await promise
}

test('the page and all that it names are served, from here alone, and are small', async () => {
  await using server = await start()
  const answer = await fetch(server.address)
  const html = await answer.text()
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'self'/)
  let bytes = html.length
  const waiting = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '')
  const seen = new Set<string>()
  for (const path of waiting) {
    if (seen.has(path)) continue
    seen.add(path)
    const part = await fetch(new URL(path, `${server.address}/`))
    assert.equal(part.status, 200, path)
    const text = await part.text()
    bytes += text.length
    waiting.push(...[...text.matchAll(/from '\.\/([^']+)'/g)].map(([, name]) => `page/${name}`))
  }
  assert.ok(seen.has('page/timeline.js'))
  assert.ok(bytes < 150_000, `${bytes} bytes`)
})

test('one reading serves all readers, and who has the answer already gets 304', async () => {
  let readings = 0
  await using server = await start({ page: { readState: async () => ({ readings: ++readings }) } })
  const url = new URL('/api/v1/state', server.address)
  const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(url)))
  for (const answer of answers) assert.deepEqual(await answer.json(), { schemaVersion: 1, readings: 1 })
  const etag = answers[0]?.headers.get('etag') ?? ''
  assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304)
})

test('what cannot be read is 503 with the reason, and never a stack', async () => {
  const readState = () => Promise.reject(new Error('the database is away'))
  await using server = await start({ page: { readState } })
  const answer = await fetch(new URL('/api/v1/state', server.address))
  assert.equal(answer.status, 503)
  assert.deepEqual(await answer.json(), { schemaVersion: 1, complaint: 'the database is away' })
})

test('the last good answer outlives the source, with its age and the reason', async () => {
  let nowMs = 1_000
  let read = (): Promise<object> => Promise.resolve({ found: 'well' })
  const answer = keepAnswer(() => read(), { freshMs: 2_000, patienceMs: 50, nowMs: () => nowMs })
  await answer()
  read = () => Promise.reject(new Error('the database is away'))
  nowMs = 10_000
  const { kept, complaint } = await answer()
  assert.deepEqual([kept?.readAtMs, complaint], [1_000, 'the database is away'])
  read = () => Promise.withResolvers<never>().promise
  nowMs = 20_000
  assert.equal((await answer()).kept?.body, '{"schemaVersion":1,"found":"well"}')
})

test('with credentials nothing of the page is for strangers', async () => {
  await using server = await start({ credentials: { user: 'ops', password: 'secret' } })
  for (const path of [
    '/',
    '/page/page.js',
    '/api/v1/state',
    '/api/v1/plan',
    '/api/v1/settings',
    '/api/v1/rates',
  ])
    assert.equal((await fetch(new URL(path, server.address))).status, 401, path)
})

test('what is not served gets a line that says so and echoes nothing', async () => {
  await using server = await start()
  const cases: [string, string, number][] = [
    ['GET', '/<script>', 404],
    ['GET', '/page/../../package.json', 404],
    ['GET', '/page/..%2f..%2fpackage.json', 404],
    ['GET', '/page/%2e%2e/http-server.ts', 404],
    ['GET', '/%zz', 400],
    ['POST', '/api/v1/state', 405],
    ['DELETE', '/', 405],
    ['GET', `/?${'q'.repeat(5_000)}`, 414],
  ]
  for (const [method, path, status] of cases) {
    const answer = await ask(server, path, method)
    assert.equal(answer.status, status, `${method} ${path.slice(0, 40)}`)
    assert.ok(answer.text.length < 120 && !answer.text.includes('script'), answer.text)
  }
})
