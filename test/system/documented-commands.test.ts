import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../src/local/free-port.ts'
import { setFence, todayOf } from '../maintenance/maintenance-bench.ts'
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench.ts'
import { type DaymarkProcess, runDaymark, startDaymark } from '../support/daymark-process.ts'
import { eventually } from '../support/eventually.ts'
import { TYPESCRIPT_HANDLER } from '../support/ledger.ts'
import { payment } from '../support/payments.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'
import { newGroup } from '../support/test-consumer.ts'

/** Every block of commands on the pages for the person on call is run as it stands there. */

type Block = { readonly language: string; readonly text: string }

function blocksOf(page: string): Block[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
  return [...text.matchAll(/^```(sh|sql)\n(.*?)^```$/gms)].map(([, language = '', block = '']) => ({
    language,
    text: block,
  }))
}

/** One line of the shell: its words, without the comment behind it. */
function linesOf({ text }: Block): string[][] {
  return text
    .split('\n')
    .map((line) => line.replace(/\s#.*$/, '').trim())
    .filter((line) => line !== '')
    .map((line) => line.split(' '))
}

const scratch = makeScratchDirectory()
let bench: ConsumerBench
let daymark: DaymarkProcess
let port = 0
let variables: Record<string, string>

before(async () => {
  bench = await createConsumerBench()
  const { database } = bench.db
  port = await freePort()
  const topic = await bench.topics.create(1, { 'retention.ms': '604800000' })
  variables = {
    DATABASE_URL: bench.db.settings.url ?? '',
    KAFKA_BROKERS: bench.topics.kafka.brokers.join(','),
    KAFKA_GROUP_ID: newGroup(),
    KAFKA_TOPICS: topic,
    DAYMARK_CONSUMER_HANDLER: TYPESCRIPT_HANDLER,
    DAYMARK_HTTP_PORT: String(port),
  }
  const tables = [{ table: 'public.events', retention: '90 days' }]
  writeFileSync(join(scratch.path, 'daymark.config.json'), JSON.stringify({ tables }))
  const today = await todayOf(database)
  await setFence(database, '2026-08-01')
  await database.query(
    `create table public.events (id bigint, day date not null) partition by range (day);
     create table public.events_default partition of public.events default;
     create table public.events_today partition of public.events for values from ('${today}') to ('infinity');
     create table public.processed_events (
       consumer_group text not null, event_id text not null, topic text not null, partition int not null,
       "offset" bigint not null, processed_at timestamptz not null default now(), primary key (consumer_group, event_id)
     );
     create index on public.processed_events (processed_at)`,
  )
  await bench.send([payment('evt'), { ...payment('none'), headers: {} }], topic)
  daymark = startDaymark(['consume'], variables, scratch.path)
  await eventually('a dead letter', async () => (await bench.deadLetters()).length === 1)
})
after(async () => {
  await daymark[Symbol.asyncDispose]()
  await bench[Symbol.asyncDispose]()
  scratch[Symbol.dispose]()
})

async function runLine([program = '', ...args]: readonly string[]): Promise<void> {
  if (program === 'curl') {
    const url = new URL(`http://${args.at(-1)}`)
    url.port = String(port)
    const answer = await fetch(url)
    assert.ok([200, 503].includes(answer.status), `${url}: ${answer.status}`)
    assert.notEqual(await answer.text(), '')
    return
  }
  assert.equal(program, 'daymark')
  // Runs until it is stopped; test/commands/run.test.ts is about it.
  if (args[0] === 'run') return
  const { rows } = await bench.db.database.query<{ id: string }>('select id::text from daymark.dead_letters')
  const given = args.map((arg) =>
    arg === 'ID' ? (rows[0]?.id ?? '') : arg === 'payments' ? topicName() : arg,
  )
  // Nobody is there to be asked.
  const yes = args[0] === 'adopt' && !args.includes('--plan') ? ['--yes'] : []
  const ended = await runDaymark([...given, ...yes], variables, scratch.path)
  // 1 is a day that is not parked here, 3 something to look at; 2 would be a command that is not to be typed so.
  assert.ok([0, 1, 3].includes(ended.exitCode ?? -1), `${args.join(' ')}: ${ended.exitCode} ${ended.stderr}`)
}

function topicName(): string {
  return variables.KAFKA_TOPICS ?? ''
}

for (const page of ['operations.md', 'adopting.md']) {
  describe(`as docs/${page} has them`, () => {
    for (const block of blocksOf(page)) {
      test(block.text.split('\n')[0] ?? '', async () => {
        if (block.language === 'sh') {
          for (const line of linesOf(block)) await runLine(line)
          return
        }
        const session = await bench.db.connect()
        await session.query(block.text)
      })
    }
  })
}
