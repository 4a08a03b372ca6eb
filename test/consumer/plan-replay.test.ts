import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeadLetter } from '../../src/consumer/dead-letter.ts'
import { planReplay, type ReplayPlan } from '../../src/consumer/plan-replay.ts'
import { identityOf } from './samples.ts'

const WINDOW = { fence: '2026-07-20', lastDay: '2026-08-08' }

function letterOf(given: Partial<DeadLetter>): DeadLetter {
  return {
    id: '1',
    group: 'ledger-writer',
    topic: 'payments',
    partition: 3,
    offset: '42',
    recordTimestampMs: String(Date.UTC(2026, 7, 1, 12)),
    eventId: 'evt-42',
    markerDay: null,
    overlapDay: null,
    key: null,
    value: null,
    headers: [['event-id', Buffer.from('evt-42').toString('base64')]],
    reason: 'future',
    error: 'why',
    sqlstate: null,
    failedAtMs: 0,
    replayedAtMs: null,
    replayOutcome: null,
    ...given,
  }
}

function planOf(given: Partial<DeadLetter>, wishes = {}): string {
  const all = { eventId: null, mayHaveBeenApplied: false, ...wishes }
  const plan: ReplayPlan = planReplay(letterOf(given), WINDOW, identityOf(), all)
  return 'event' in plan ? `${plan.kind} ${plan.event.eventId} ${plan.event.markerDay}` : plan.kind
}

const DROPPED = String(Date.UTC(2026, 6, 20, 12))
const AHEAD = String(Date.UTC(2026, 7, 20, 12))

test('what left a marker keeps its identity, whatever the settings would make of it now', () => {
  assert.equal(
    planOf({ reason: 'handler', eventId: 'payments/evt', markerDay: '2026-08-02' }),
    'mark payments/evt 2026-08-02',
  )
  assert.equal(planOf({ reason: 'undecodable', markerDay: '2026-08-02' }), 'mark evt-42 2026-08-02')
})

test('what left no marker is identified anew', () => {
  assert.equal(planOf({ reason: 'future' }), 'mark evt-42 2026-08-01')
  assert.equal(planOf({ reason: 'future', recordTimestampMs: AHEAD }), 'keep')
  assert.equal(planOf({ reason: 'bad-time', recordTimestampMs: null }), 'keep')
  assert.equal(planOf({ reason: 'bad-id', headers: [] }), 'keep')
  assert.equal(planOf({ reason: 'bad-id', headers: [] }, { eventId: 'given' }), 'mark given 2026-08-01')
  assert.equal(planOf({ reason: 'bad-id', headers: [] }, { eventId: 'x'.repeat(256) }), 'keep')
  assert.equal(planOf({ reason: 'future' }, { eventId: 'given' }), 'mark evt-42 2026-08-01')
})

test('what no marker can tell is asked for: a dropped day, an id that stands for another event', () => {
  const yes = { mayHaveBeenApplied: true }
  assert.equal(planOf({ reason: 'expired', recordTimestampMs: DROPPED }), 'ask')
  assert.equal(
    planOf({ reason: 'expired', recordTimestampMs: DROPPED }, yes),
    'apply-unmarked evt-42 2026-07-20',
  )
  assert.equal(planOf({ reason: 'handler', markerDay: '2026-07-19' }), 'ask')
  assert.equal(planOf({ reason: 'id-reused' }), 'ask')
  assert.equal(planOf({ reason: 'id-reused' }, yes), 'apply-unmarked evt-42 2026-08-01')
})

test('a day that was taken back is open again, and its markers decide', () => {
  assert.equal(planOf({ reason: 'expired' }), 'mark evt-42 2026-08-01')
})

test('the word for what nobody can know does nothing where markers can tell', () => {
  assert.equal(
    planOf({ reason: 'handler', markerDay: '2026-08-02' }, { mayHaveBeenApplied: true }),
    'mark evt-42 2026-08-02',
  )
})
