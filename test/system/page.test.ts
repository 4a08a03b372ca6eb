import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { addDays, dayOf } from '../../src/calendar/period.ts'
import { openReader, pendingName, terminate } from '../maintenance/interrupted-table.ts'
import { makeOldDay, setFence, todayOf } from '../maintenance/maintenance-bench.ts'
import { type DaymarkProcess, runDaymark, startDaymark } from '../support/daymark-process.ts'
import { eventually } from '../support/eventually.ts'
import { eventIds, payment } from '../support/payments.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { createTestTopics, type TestTopics } from '../support/test-topic.ts'

const EFFECT = fileURLToPath(new URL('../../examples/payments/effect.sql', import.meta.url))
const LEDGER = readFileSync(new URL('../../examples/payments/ledger_entries.sql', import.meta.url), 'utf8')
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
/** Screenshots are kept where this names a folder. */
const SHOTS = process.env.DAYMARK_PAGE_SHOTS
const HOSTILE = '<img src=x onerror="document.title=1">'
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let browser: Browser
let db: TestDatabase
let topics: TestTopics
let daymark: DaymarkProcess
let address: string
let variables: Record<string, string>

before(async () => {
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS })
  db = await createTestDatabase()
  topics = await createTestTopics()
  await db.database.query(LEDGER)
  const topic = await topics.create(2, { 'retention.ms': '604800000' })
  await topics.producer.send(
    topic,
    eventIds('page', 40).map((id) => payment(id)),
  )
  variables = {
    DATABASE_URL: db.settings.url ?? '',
    KAFKA_BROKERS: topics.kafka.brokers.join(','),
    KAFKA_GROUP_ID: 'page',
    KAFKA_TOPICS: topic,
    DAYMARK_CONSUMER_HANDLER: EFFECT,
    DAYMARK_HTTP_PORT: '0',
  }
  await runDaymark(['apply'], variables)
  daymark = startDaymark(['consume'], variables)
  address = await eventually('the address in the log', () => {
    const found = /"address":"(http[^"]+)"/.exec(daymark.stderr())?.[1]
    assert.ok(found, daymark.stderr())
    return found
  })
  await eventually('every payment in the ledger', async () => {
    const { rows } = await db.database.query<{ total: string }>(
      'select count(*) as total from ledger_entries',
    )
    assert.equal(rows[0]?.total, '40')
    return true
  })
})

after(async () => {
  await browser?.close()
  await daymark?.[Symbol.asyncDispose]()
  await topics?.[Symbol.asyncDispose]()
  await db?.[Symbol.asyncDispose]()
})

/** Opens the page at a width, and holds it to what every state must be: accessible, quiet, and no wider than the screen. */
async function look(name: string, width: number, sentence: RegExp, scheme: 'light' | 'dark' = 'light') {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme })
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  // Without refreshing: a table must not change while it is checked.
  await eventually('the verdict', async () => {
    await page.goto(`${address}/?refresh=0`)
    await page.waitForSelector('body[data-reading=done]')
    assert.match((await page.textContent('#verdict')) ?? '', sentence)
    return true
  })
  if (SHOTS !== undefined)
    await page.screenshot({ path: join(SHOTS, `${name}-${width}.png`), fullPage: true })
  assert.deepEqual(complaints, [])
  const overhang = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.ok(Number(overhang) <= 0, `${overhang} pixels hang over at ${width}`)
  assert.deepEqual(await violations(page), [])
  return page
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(AXE, 'utf8'))
  return await page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((n) => n.html.slice(0, 120)).join(' ')))`,
  )
}

for (const width of [1280, 360]) {
  test(`at ${width} pixels a pipeline at work is told in one sentence, its days and its topic partitions`, async () => {
    const page = await look('at-work', width, /markers|reach/)
    assert.ok((await page.locator('#timeline .bar.ahead').count()) >= 6)
    assert.match((await page.textContent('#consumer')) ?? '', /up to date/)
    assert.match((await page.textContent('#settings')) ?? '', /settings, secrets masked/)
    await page.close()
  })
}

test('an id that is markup is shown as text', async () => {
  await db.database.query(
    `insert into daymark.dead_letters (consumer_group, topic, partition, "offset", record_timestamp, event_id, reason, error)
     values ('page', 'payments', 3, 1, '2026-08-01T12:00:00Z', $1::text, 'handler', $1::text)`,
    [HOSTILE],
  )
  const page = await look('dead-letter', 1280, /1 dead letter waits/, 'dark')
  assert.match((await page.textContent('#dead')) ?? '', /<img src=x/)
  assert.equal(await page.locator('#dead img').count(), 0)
  assert.equal(await page.title(), 'daymark')
  await page.close()
})

test('the choice of refreshing stands in the address', async () => {
  const page = await look('refresh', 1280, /./)
  await page.selectOption('#refresh', '60')
  assert.equal(new URL(page.url()).search, '?refresh=60')
  await page.close()
})

test('a detach that was interrupted is hatched, and the next run is named', async () => {
  const day = addDays(dayOf(Date.now()) ?? '', 7).replaceAll('-', '_')
  const detach = `alter table daymark.processed_events detach partition daymark.processed_events_${day}`
  const reader = await openReader(db)
  const detaching = assert.rejects(db.database.query(`${detach} concurrently`))
  await eventually('the detach to wait', () => pendingName(db))
  await terminate(db, `query like 'alter table%concurrently'`)
  await detaching
  await reader.query('commit')
  const page = await look('detach-pending', 1280, /a detach of daymark\.processed_events was begun/)
  assert.equal(await page.locator('#timeline .bar.detach-pending').count(), 1)
  await page.close()
  await db.database.query(`${detach} finalize`)
})

test('a day that is due is told with who would be waited for, and then stands there parked', async () => {
  const { database } = db
  const today = await todayOf(database)
  await setFence(database, addDays(today, -13))
  await makeOldDay(database, addDays(today, -12))
  {
    await using reader = await openReader(db)
    await eventually('the day, and who has the table in use', async () => {
      const page = await look('due', 360, /./)
      const due = await page.locator('#timeline .bar.due').count()
      const plan = (await page.textContent('#plan')) ?? ''
      await page.close()
      return due === 1 && plan.includes(`In use by process ${reader.pid} `)
    })
  }
  const applied = await runDaymark(['apply', '--keep-detached', '24h'], variables)
  assert.match(applied.stdout, new RegExp(`park ${addDays(today, -12)} until`))
  await eventually('the parked day', async () => {
    const parked = await look('parked', 1280, /./)
    const count = await parked.locator('#timeline .bar.parked').count()
    await parked.close()
    return count > 0
  })
})

for (const width of [1280, 360]) {
  test(`at ${width} pixels a missing tomorrow is red, with what to do`, async () => {
    const tomorrow = addDays(dayOf(Date.now()) ?? '', 1).replaceAll('-', '_')
    await db.database.query(`drop table if exists daymark.processed_events_${tomorrow}`)
    const page = await look(
      'no-tomorrow',
      width,
      /Unsafe: daymark\.processed_events has no partition for tomorrow.*daymark apply/,
    )
    const title = await page.locator('#timeline .bar.gap title').first().textContent()
    assert.equal(title?.replaceAll('-', '_'), `${tomorrow}: gap`)
    await page.close()
  })
}

test('with the database away the last state is shown, and said to be that', async () => {
  const page = await look('before-away', 1280, /./)
  const { rows } = await db.database.query<{ name: string }>('select current_database() as name')
  const name = rows[0]?.name ?? ''
  await using elsewhere = await createTestDatabase()
  await elsewhere.database.query(`alter database "${name}" allow_connections false`)
  await elsewhere.database.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1::text',
    [name],
  )
  await page.close()
  const away = await look('database-away', 1280, /Not known now\. Last known: Unsafe/)
  assert.match((await away.textContent('#stale')) ?? '', /last known state/)
  await away.close()
  await elsewhere.database.query(`alter database "${name}" allow_connections true`)
})
