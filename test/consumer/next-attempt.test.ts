import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HandlerLeftTransactionError } from '../../src/consumer/handler-left-transaction-error.ts'
import {
  BatchTimeoutError,
  DeadLetterLimitError,
  type FailedAttempt,
  isOfTheEvent,
  type NextAttempt,
  nextAttempt,
  type Phase,
  spoilsTheConnection,
} from '../../src/consumer/next-attempt.ts'
import { CommitRefusedError } from '../../src/postgres/transaction.ts'

const PHASES: readonly Phase[] = ['open', 'mark', 'apply', 'close']

/** An error as `pg` hands over what the server said. */
function serverError(code: string, fields: { table?: string; constraint?: string } = {}): Error {
  return Object.assign(new Error('in whatever language'), { code, severity: 'FEHLER', ...fields })
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code })
}

function after(error: unknown, phase: Phase, given: Partial<FailedAttempt> = {}): string {
  const next: NextAttempt = nextAttempt(
    { error, phase, failures: 1, isolating: false, missingPartitions: 0, ...given },
    0.5,
  )
  return next.kind === 'wait' ? `wait: ${next.reason}` : next.kind
}

const noPartition = serverError('23514', { table: 'processed_events' })
const noPartitionOfAnEffect = serverError('23514', { table: 'ledger_entries' })
const checkOfMarkers = serverError('23514', { table: 'processed_events', constraint: 'has_an_id' })

describe('a failure that will pass is tried again, in whatever phase, looking for an event or not', () => {
  const passing = {
    'connections (08)': ['08000', '08001', '08003', '08006', '08P01'],
    'a server that goes or comes (57P)': ['57P01', '57P02', '57P03', '57P05'],
    'conflicts of transactions (40)': ['40001', '40P01'],
    'locks and time limits': ['55P03', '57014', '25P03', '25P04'],
    'resources (53)': ['53000', '53100', '53200', '53300'],
  }
  for (const [name, codes] of Object.entries(passing)) {
    test(name, () => {
      for (const code of codes)
        for (const phase of PHASES)
          for (const isolating of [false, true])
            assert.equal(after(serverError(code), phase, { isolating }), 'again', `${code} ${phase}`)
    })
  }

  test('connections that broke without a word of the server', () => {
    const broken = [
      new Error('Connection terminated unexpectedly'),
      systemError('ECONNREFUSED'),
      systemError('ECONNRESET'),
      systemError('EPIPE'),
    ]
    for (const error of broken) for (const phase of PHASES) assert.equal(after(error, phase), 'again')
  })

  test('a batch that took too long', () => {
    for (const phase of PHASES) assert.equal(after(new BatchTimeoutError('60 s'), phase), 'again')
  })
})

test('a failure that an event may be to blame for has the event looked for', () => {
  const codes = [
    '22001',
    '22003',
    '22007',
    '22012',
    '22021',
    '22P02',
    '22P05',
    '23502',
    '23503',
    '23505',
    '23514',
    '23P01',
    'P0001',
    '54000',
    '2F002',
  ]
  for (const code of codes) {
    assert.equal(after(serverError(code), 'apply'), 'isolate', code)
    assert.equal(isOfTheEvent(serverError(code)), true, code)
  }
  for (const thrown of [new Error('no'), new TypeError('no'), 'a text', undefined, systemError('ENOENT')]) {
    assert.equal(after(thrown, 'apply'), 'isolate', String(thrown))
    assert.equal(isOfTheEvent(thrown), true)
  }
})

test("a failure that comes back while its event is looked for is nobody's: the topic partition waits", () => {
  assert.equal(after(serverError('22P02'), 'apply', { isolating: true }), 'wait: broken-handler-or-schema')
  assert.equal(after(serverError('23505'), 'close', { isolating: true }), 'wait: failing-commit')
  assert.equal(after(new Error('no'), 'apply', { isolating: true }), 'wait: broken-handler-or-schema')
})

test('a failing COMMIT enters the search once, then waits', () => {
  for (const error of [serverError('23503'), serverError('25P02'), new CommitRefusedError('ROLLBACK')]) {
    assert.equal(after(error, 'close'), 'isolate')
    assert.equal(after(error, 'close', { isolating: true }), 'wait: failing-commit')
  }
})

test('what no event can cause waits at once', () => {
  const codes = [
    '42601',
    '42703',
    '42P01',
    '42804',
    '42883',
    '42501',
    '21000',
    '0A000',
    '3F000',
    '3D000',
    '28000',
    '28P01',
  ]
  for (const code of codes) {
    for (const phase of PHASES)
      assert.equal(after(serverError(code), phase), 'wait: broken-handler-or-schema', code)
    assert.equal(isOfTheEvent(serverError(code)), false, code)
  }
})

test('a database that takes no writes waits under its own reason, and its connection is given up', () => {
  for (const phase of PHASES) assert.equal(after(serverError('25006'), phase), 'wait: read-only-database')
  assert.equal(isOfTheEvent(serverError('25006')), false)
  assert.equal(spoilsTheConnection(serverError('25006')), true)
})

test('a failure of the markers themselves is never laid on an event', () => {
  for (const phase of ['open', 'mark'] as const) {
    assert.equal(after(serverError('22P02'), phase), 'wait: broken-handler-or-schema')
    assert.equal(after(checkOfMarkers, phase), 'wait: broken-handler-or-schema')
  }
})

test('a fault of ours is tried again where no handler has run', () => {
  for (const phase of ['open', 'mark', 'close'] as const)
    assert.equal(after(new TypeError('ours'), phase), 'again')
})

test('a missing partition is looked at once more at once, then waits for the day to be made', () => {
  for (const phase of ['mark', 'apply'] as const) {
    const once = { error: noPartition, phase, failures: 1, isolating: false, missingPartitions: 1 }
    assert.deepEqual(nextAttempt(once, 0.5), { kind: 'again', waitMs: 0 })
    assert.equal(after(noPartition, phase, { missingPartitions: 2 }), 'wait: missing-partition')
  }
  assert.equal(isOfTheEvent(noPartition), false)
})

test("a missing partition of an effect's own table, and a check that an effect violates, are of the event", () => {
  for (const error of [
    noPartitionOfAnEffect,
    serverError('23514', { table: 'ledger_entries', constraint: 'c' }),
  ]) {
    assert.equal(after(error, 'apply'), 'isolate')
    assert.equal(isOfTheEvent(error), true)
  }
})

test('a database that has forgotten commits is read again from where it is', () => {
  assert.equal(after(serverError('DM001'), 'open'), 'read-again')
  assert.equal(after(serverError('DM002'), 'open'), 'read-again')
})

test('too many dead letters, and a handler that leaves its transaction, wait', () => {
  assert.equal(
    after(new DeadLetterLimitError('11 of 100'), 'apply', { isolating: true }),
    'wait: too-many-dead-letters',
  )
  const left = new HandlerLeftTransactionError('pool.query')
  assert.equal(after(left, 'apply'), 'wait: broken-handler-or-schema')
  assert.equal(isOfTheEvent(left), false)
  assert.equal(isOfTheEvent(new BatchTimeoutError('60 s')), false)
})

test('a connection is given up where the next batch would meet the same, and only there', () => {
  for (const code of ['08006', '57P01', '25006', '25P03'])
    assert.equal(spoilsTheConnection(serverError(code)), true, code)
  assert.equal(spoilsTheConnection(new Error('Connection terminated unexpectedly')), true)
  assert.equal(spoilsTheConnection(systemError('ECONNRESET')), true)
  assert.equal(spoilsTheConnection(new BatchTimeoutError('60 s')), true)
  for (const code of ['40P01', '55P03', '57014', '23505', '42P01', 'DM001']) {
    assert.equal(spoilsTheConnection(serverError(code)), false, code)
  }
  assert.equal(spoilsTheConnection(new Error('of the handler')), false)
})

test('pauses double up to half a minute, and chance takes away no more than half of one', () => {
  const pauseOf = (failures: number, chance: number): number => {
    const next = nextAttempt(
      { error: serverError('40001'), phase: 'apply', failures, isolating: false, missingPartitions: 0 },
      chance,
    )
    assert.ok(next.kind === 'again')
    return next.waitMs
  }
  assert.deepEqual(
    [1, 2, 3, 4].map((failures) => pauseOf(failures, 1)),
    [100, 200, 400, 800],
  )
  assert.deepEqual(
    [1, 2, 3, 4].map((failures) => pauseOf(failures, 0)),
    [50, 100, 200, 400],
  )
  assert.equal(pauseOf(5_000, 1), 30_000)
})
