import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { addDays, startOfDay } from '../../src/calendar/period.ts'
import type { ReadyHandler } from '../../src/consumer/apply-effects.ts'
import type { ConsumerSettings } from '../../src/consumer/consumer-settings.ts'
import { cutBatches } from '../../src/consumer/cut-batches.ts'
import type { HandlerEvent } from '../../src/consumer/handler.ts'
import { prepareHandler } from '../../src/consumer/prepare-handler.ts'
import { recordBatch } from '../../src/consumer/record-batch.ts'
import { setProgress } from '../../src/consumer/sql/set-progress.ts'
import type { KafkaRecord } from '../../src/kafka/kafka-record.ts'
import { testSettings } from '../support/test-consumer.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { recordOf } from './samples.ts'

const MINUTE = 60_000
const db = await createTestDatabase()
after(() => db[Symbol.asyncDispose]())
await db.database.query('create table effects (form text, event_id text, "offset" bigint, amount int)')
const { rows } = await db.database.query<{ today: string }>(
  `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today`,
)
const today = rows[0]?.today ?? ''
const forms = await readyForms()

type Form = 'fused' | 'separate' | 'typescript'

/** A few ids, within half an hour of the next midnights, some of another value: partial conflicts are common. */
const records = fc
  .array(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      midnight: fc.integer({ min: 1, max: 2 }),
      minutes: fc.integer({ min: -30, max: 30 }),
      isAtNoon: fc.constantFrom(false, false, true),
      amount: fc.constantFrom(1, 1, 1, 2),
    }),
    { minLength: 1, maxLength: 24 },
  )
  .map((drafts) =>
    drafts.map(({ id, midnight, minutes, isAtNoon, amount }, offset) =>
      recordOf({
        offset: String(offset),
        headers: { 'event-id': Buffer.from(id) },
        timestamp: String(startOfDay(addDays(today, midnight)) + (isAtNoon ? 720 : minutes) * MINUTE),
        value: Buffer.from(JSON.stringify({ amount })),
      }),
    ),
  )

test('an effect statement does the same fused, by itself, and in TypeScript, whatever the duplicates near midnight', async () => {
  await fc.assert(
    fc.asyncProperty(records, fc.integer({ min: 1, max: 24 }), async (found, batchRows) => {
      await db.database.query('truncate effects')
      const results = []
      for (const form of Object.keys(forms) as Form[]) results.push(await record(form, found, batchRows))
      const [fused, ...others] = results
      for (const other of others) assert.deepEqual(other, fused)
    }),
    { numRuns: 40 },
  )
})

/** Records these in one form as a group of its own, twice: the second time nothing may change. */
async function record(form: Form, found: readonly KafkaRecord[], batchRows: number) {
  const settings = testSettings({ topics: ['payments'], batchRows })
  await setProgress(db.database, {
    group: settings.group,
    topic: 'payments',
    partition: 0,
    nextOffset: '0',
    lost: 0,
  })
  const outcomes = await recordAll(form, settings, found)
  const state = await stateOf(form, settings.group)
  const again = await recordAll(form, settings, found)
  assert.ok(again.every(({ processed }) => processed.length === 0))
  assert.deepEqual((await stateOf(form, settings.group)).markers, state.markers)
  return { outcomes, ...state }
}

async function recordAll(form: Form, settings: ConsumerSettings, found: readonly KafkaRecord[]) {
  const outcomes = []
  const fetched = {
    topic: 'payments',
    partition: 0,
    records: found,
    lastOffset: found.at(-1)?.offset ?? '0',
    highWatermark: '99',
  }
  for (const batch of cutBatches(fetched, settings)) {
    const recorded = await db.database.withSession((session) =>
      recordBatch(session, batch, {
        settings,
        handler: forms[form],
        seenOffset: '0',
        isolating: false,
        reach: () => undefined,
        judge: () => undefined,
      }),
    )
    const offsetsOf = (events: readonly { readonly record: KafkaRecord }[]): string[] =>
      events.map((event) => event.record.offset)
    const { processed, redelivered, republished, dead, nextOffset } = recorded
    outcomes.push({
      processed: offsetsOf(processed),
      redelivered: offsetsOf(redelivered),
      republished: offsetsOf(republished),
      dead: dead.map(({ reason, record: { offset }, error }) => ({ reason, offset, error })),
      nextOffset,
    })
  }
  return outcomes
}

async function stateOf(form: Form, group: string) {
  const { rows: effects } = await db.database.query(
    'select event_id, "offset", amount from effects where form = $1::text order by 2',
    [form],
  )
  const { rows: markers } = await db.database.query(
    `select event_id, to_char(marker_day, 'YYYY-MM-DD') as day, "offset", overlap, value_crc32
       from daymark.processed_events where consumer_group = $1::text order by 1, 2`,
    [group],
  )
  return { effects, markers }
}

async function readyForms(): Promise<Record<Form, ReadyHandler>> {
  const textOf = (form: Form): string =>
    `insert into effects select '${form}', event_id, "offset", (value ->> 'amount')::int from events`
  const fused = await prepareHandler(db.database, { kind: 'sql', text: textOf('fused') })
  const separate = await prepareHandler(db.database, { kind: 'sql', text: textOf('separate') })
  assert.ok(fused.kind === 'sql' && fused.isFused && separate.kind === 'sql')
  const typescript: ReadyHandler = {
    kind: 'batch',
    async apply(events, tx) {
      const amounts = events.map((event: HandlerEvent) => (event.value as { amount: number }).amount)
      await tx.query(
        `insert into effects select 'typescript', * from unnest($1::text[], $2::bigint[], $3::int[])`,
        [events.map(({ eventId }) => eventId), events.map(({ offset }) => offset), amounts],
      )
    },
  }
  return { fused, separate: { ...separate, isFused: false }, typescript }
}
