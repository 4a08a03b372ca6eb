import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeHolder } from '../../src/maintenance/lock-holder.ts'

const HOLDER = { pid: 7, user: 'daymark', application: 'daymark:maintain', client: '10.0.0.9', idleMs: 200 }

test('a worker that is at it is nobody’s fault', () => {
  assert.deepEqual(judgeHolder(HOLDER), {
    outcome: 'locked',
    reason:
      'another worker is at it: process 7 (daymark:maintain from 10.0.0.9). If it is dead: select pg_terminate_backend(7)',
  })
})

test('a worker that has held the lock in silence for two intervals hangs, and how to end it is said', () => {
  assert.deepEqual(judgeHolder({ ...HOLDER, idleMs: 2 * 3_600_000 }), {
    outcome: 'refused',
    reason:
      'process 7 (daymark:maintain from 10.0.0.9) holds the lock and has been silent for 2 h: it hangs. End it: select pg_terminate_backend(7)',
  })
})
