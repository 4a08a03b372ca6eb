import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Check } from '../../src/http/check.ts'
import type { Credentials } from '../../src/http/credentials.ts'
import { HttpListenError } from '../../src/http/http-listen-error.ts'
import { type HttpServer, startHttpServer } from '../../src/http/http-server.ts'
import { openMetrics } from '../../src/http/metrics.ts'
import { silentLog } from '../../src/process/log.ts'

const WELL: Check = { name: 'well', ask: () => ({ ok: true, found: 'as it should be' }) }
const ILL: Check = { name: 'ill', ask: () => ({ ok: false, found: 'a partition waits' }) }
const BROKEN: Check = { name: 'broken', ask: () => Promise.reject(new Error('the database is away')) }

function start(given: {
  readonly liveness?: readonly Check[]
  readonly readiness?: readonly Check[]
  readonly credentials?: Credentials
  readonly port?: number
}): Promise<HttpServer> {
  return startHttpServer({
    host: '127.0.0.1',
    port: given.port ?? 0,
    credentials: given.credentials ?? null,
    liveness: () => given.liveness ?? [],
    readiness: () => given.readiness ?? [],
    metrics: openMetrics(['daymark.processed_events'], silentLog),
  })
}

async function get(server: HttpServer, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(new URL(path, server.address), { headers })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

test('a probe gets 200 and ok while every check is well', async () => {
  await using server = await start({ liveness: [WELL], readiness: [WELL] })
  for (const path of ['/livez', '/readyz']) {
    const { status, text } = await get(server, path)
    assert.deepEqual([status, text], [200, 'ok\n'])
  }
})

test('a check that is ill, and one that throws, make 503 with their names', async () => {
  await using server = await start({ readiness: [WELL, ILL, BROKEN] })
  assert.equal((await get(server, '/livez')).status, 200)
  const { status, text } = await get(server, '/readyz')
  assert.deepEqual([status, text], [503, 'not ok: ill, broken\n'])
})

test('verbose readiness is JSON with what each check found', async () => {
  await using server = await start({ readiness: [ILL, BROKEN] })
  const { status, text } = await get(server, '/readyz?verbose')
  assert.equal(status, 503)
  assert.deepEqual(JSON.parse(text), {
    ok: false,
    checks: [
      { name: 'running', ok: true, found: 'running' },
      { name: 'ill', ok: false, found: 'a partition waits' },
      { name: 'broken', ok: false, found: 'the database is away' },
    ],
  })
})

test('a check that never answers is a red one, not a probe that hangs', async () => {
  const hung: Check = { name: 'hung', ask: () => Promise.withResolvers<never>().promise }
  await using server = await start({ readiness: [hung] })
  const { status, text } = await get(server, '/readyz?verbose')
  assert.equal(status, 503)
  assert.match(text, /no answer within 2000 ms/)
})

test('once it is turned unready, readiness is red and liveness is not', async () => {
  await using server = await start({ readiness: [WELL] })
  server.turnUnready()
  assert.deepEqual((await get(server, '/readyz')).text, 'not ok: running\n')
  assert.equal((await get(server, '/livez')).status, 200)
})

test('with credentials, metrics and findings are for who brings them; probes stay open', async () => {
  await using server = await start({ readiness: [ILL], credentials: { user: 'ops', password: 'päss:word' } })
  const good = { authorization: `Basic ${Buffer.from('ops:päss:word').toString('base64')}` }
  const bad = { authorization: `Basic ${Buffer.from('ops:other').toString('base64')}` }
  const refused = await get(server, '/metrics')
  assert.equal(refused.status, 401)
  assert.match(refused.headers.get('www-authenticate') ?? '', /^Basic realm="daymark"/)
  assert.equal((await get(server, '/metrics', bad)).status, 401)
  assert.equal((await get(server, '/metrics', good)).status, 200)
  assert.equal((await get(server, '/readyz?verbose')).text, 'not ok: ill\n')
  assert.match((await get(server, '/readyz?verbose', good)).text, /a partition waits/)
})

test('a port that is taken is a sentence that says how to take another', async () => {
  await using server = await start({})
  const port = Number(new URL(server.address).port)
  await assert.rejects(start({ port }), (error) => {
    assert.ok(error instanceof HttpListenError)
    assert.match(
      error.message,
      /^listening on 127\.0\.0\.1:\d+ for health and metrics: the port is taken\. Set/,
    )
    return true
  })
})
