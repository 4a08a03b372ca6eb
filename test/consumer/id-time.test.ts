import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dayOf } from '../../src/calendar/period.ts'
import { idTimeOf } from '../../src/consumer/id-time.ts'
import { inEachTimeZone } from './time-zones.ts'

test('a UUIDv7 carries its time as in the example of RFC 9562, appendix A.6', () => {
  inEachTimeZone(() => {
    const time = idTimeOf('017F22E2-79B0-7CC3-98C4-DC0C0C07398F')
    // "Tuesday, February 22, 2022 2:22:22.00 PM GMT-05:00"
    assert.equal(time, Date.parse('2022-02-22T14:22:22.000-05:00'))
    assert.equal(dayOf(time ?? 0), '2022-02-22')
  })
})

test('a ULID carries its time as in the examples of its specification and of its reference implementation', () => {
  inEachTimeZone(() => {
    assert.equal(idTimeOf('01ARYZ6S41TSV4RRFFQ69G5FAV'), 1_469_918_176_385)
    assert.equal(dayOf(idTimeOf('01ARYZ6S41TSV4RRFFQ69G5FAV') ?? 0), '2016-07-30')
    assert.equal(idTimeOf('01arz3ndektsv4rrffq69g5fav'), idTimeOf('01ARZ3NDEKTSV4RRFFQ69G5FAV'))
  })
})

test('the largest ULID of the specification is read, and one that overflows is none', () => {
  assert.equal(idTimeOf('7ZZZZZZZZZZZZZZZZZZZZZZZZZ'), 2 ** 48 - 1)
  assert.equal(idTimeOf('80000000000000000000000000'), null)
})

test('other versions and variants of UUID carry no time that is read', () => {
  const examples = [
    // RFC 9562, appendix A.1 to A.5, and B.2.
    'C232AB00-9414-11EC-B3C8-9F6BDECED846',
    '5df41881-3aed-3515-88a7-2f4a814cf09e',
    '919108f7-52d1-4320-9bac-f847db4148a8',
    '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    '1EC9414C-232A-6B00-B3C8-9F6BDECED846',
    '5c146b14-3c52-8afd-938a-375d0df1fbf6',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    // Version 7 under a variant that is not RFC 9562's.
    '017F22E2-79B0-7CC3-C8C4-DC0C0C07398F',
  ]
  for (const id of examples) assert.equal(idTimeOf(id), null, id)
})

test('an id that is nearly one carries no time', () => {
  const examples = [
    '',
    'evt-42',
    ' 01ARYZ6S41TSV4RRFFQ69G5FAV',
    '01ARYZ6S41TSV4RRFFQ69G5FA',
    '01ARYZ6S41TSV4RRFFQ69G5FAVV',
    '01ARYZ6S41TSV4RRFFQ69G5FAI',
    '01ARYZ6S41TSV4RRFFQ69G5FAU',
    '017F22E279B07CC398C4DC0C0C07398F',
    '017F22E2-79B0-7CC3-98C4-DC0C0C07398F\n',
    '{017F22E2-79B0-7CC3-98C4-DC0C0C07398F}',
  ]
  for (const id of examples) assert.equal(idTimeOf(id), null, id)
})

test('any moment put into a UUIDv7 or a ULID is read back', () => {
  const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), fc.uuid({ version: 7 }), (ms, uuid) => {
      const hex = ms.toString(16).padStart(12, '0')
      assert.equal(idTimeOf(`${hex.slice(0, 8)}-${hex.slice(8)}${uuid.slice(13)}`), ms)
      let time = ''
      for (let rest = ms, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = CROCKFORD[rest % 32] + time
      assert.equal(idTimeOf(`${time}TSV4RRFFQ69G5FAV`), ms)
    }),
  )
})

test('ULIDs and UUIDv7s of another maker are recognised', () => {
  fc.assert(fc.property(fc.ulid(), (id) => assert.notEqual(idTimeOf(id), null)))
  fc.assert(fc.property(fc.uuid({ version: 7 }), (id) => assert.notEqual(idTimeOf(id), null)))
})
