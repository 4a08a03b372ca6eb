import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { followProducers, type NumberedRecord } from '../../src/consumer/sequence-gaps.ts'

/** Records as `producer/session/number`, in the order of the log. */
function recordsOf(...texts: readonly string[]): NumberedRecord[] {
  return texts.map((text, index) => {
    const [producer = '', session, number] = text.split('/')
    return { offset: String(index), sequence: { producer, session: Number(session), number: Number(number) } }
  })
}

function kindsOf(...texts: readonly string[]): string[] {
  return followProducers([], recordsOf(...texts)).findings.map((finding) =>
    finding.kind === 'gap' ? `gap of ${finding.lost}` : finding.kind,
  )
}

const cases: Record<string, [readonly string[], readonly string[]]> = {
  'numbers without a gap': [['a/1/1', 'a/1/2', 'a/1/3'], []],
  'one event missing': [['a/1/1', 'a/1/3'], ['gap of 1']],
  'several missing, twice': [
    ['a/1/1', 'a/1/5', 'a/1/8'],
    ['gap of 3', 'gap of 2'],
  ],
  'the same number again': [['a/1/1', 'a/1/2', 'a/1/2', 'a/1/3'], ['repeat']],
  'a rewind reads numbers again, and finds no gap where it catches up': [
    ['a/1/1', 'a/1/2', 'a/1/3', 'a/1/1', 'a/1/2', 'a/1/3', 'a/1/4'],
    ['repeat', 'repeat', 'repeat'],
  ],
  'a restart begins anew': [['a/1/1', 'a/1/2', 'a/2/1', 'a/2/2'], ['restart']],
  'a restart whose first events are missing': [
    ['a/1/1', 'a/2/3'],
    ['restart', 'gap of 2'],
  ],
  'what an older session wrote comes late': [
    ['a/1/1', 'a/2/1', 'a/1/2', 'a/2/2'],
    ['restart', 'repeat'],
  ],
  'a producer that was never seen is followed from where it is': [['a/1/700', 'a/1/701'], []],
  'two producers do not disturb each other': [['a/1/1', 'b/1/1', 'a/1/2', 'b/1/3', 'a/1/3'], ['gap of 1']],
}

for (const [name, [texts, kinds]] of Object.entries(cases)) {
  test(`${name}: ${kinds.join(', ') || 'nothing found'}`, () => {
    assert.deepEqual(kindsOf(...texts), kinds)
  })
}

test('what is known from before goes on, and is counted once', () => {
  const known = [{ producer: 'a', session: 1, number: 5 }]
  const first = followProducers(known, recordsOf('a/1/8'))
  assert.deepEqual(first.followed, [{ producer: 'a', session: 1, number: 8, lost: 2 }])
  assert.deepEqual(followProducers(first.followed, recordsOf('a/1/8', 'a/1/9')).followed, [
    { producer: 'a', session: 1, number: 9, lost: 0 },
  ])
})

test('whatever is dropped or sent twice, however it is cut into batches, the count is right to the event', () => {
  const sends = fc.array(fc.record({ copies: fc.integer({ min: 0, max: 3 }), cut: fc.boolean() }), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(fc.array(sends, { minLength: 1, maxLength: 4 }), (sessions) => {
      let state: Parameters<typeof followProducers>[0] = [{ producer: 'a', session: 0, number: 1 }]
      let found = 0
      let lost = 0
      let batch: NumberedRecord[] = []
      const flush = (): void => {
        const { followed, findings } = followProducers(state, batch)
        for (const finding of findings) if (finding.kind === 'gap') found += finding.lost
        state = followed.length > 0 ? followed : state
        batch = []
      }
      sessions.forEach((events, index) => {
        // Nobody can see what is missing behind the last event of a session.
        const lastSent = events.findLastIndex(({ copies }) => copies > 0)
        events.forEach(({ copies, cut }, number) => {
          if (copies === 0 && number < lastSent) lost += 1
          for (let copy = 0; copy < copies; copy++) batch.push(...recordsOf(`a/${index + 1}/${number + 1}`))
          if (cut) flush()
        })
      })
      flush()
      assert.equal(found, lost)
    }),
  )
})
