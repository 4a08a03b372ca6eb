import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showPruning } from '../../src/commands/prune-progress.ts'

const RUN = { table: 'public.events', kind: 'remove', outcome: 'done', tookMs: 1 } as const

function pruningOf(deletedRows: number, estimatedRows: number | null) {
  return { table: 'public.events', batchRows: 10_000, deletedRows, estimatedRows }
}

test('a terminal gets one bar that moves, never past its end, and is taken away', () => {
  const texts: string[] = []
  const observer = showPruning({ isTTY: true, write: (text) => texts.push(text) }, () => 0)
  observer.rowsPruned(pruningOf(10_000, 40_000))
  observer.rowsPruned(pruningOf(50_000, 40_000))
  observer.runFinished(RUN)
  assert.deepEqual(texts, [
    `\r\u001B[K[${'#'.repeat(7)}${'.'.repeat(23)}] 25 %  public.events: 10000 of about 40000 old rows deleted`,
    `\r\u001B[K[${'#'.repeat(29)}.] 99 %  public.events: 50000 of about 40000 old rows deleted`,
    '\r\u001B[K',
  ])
})

test('elsewhere a line comes every ten seconds, and nothing that moves', () => {
  const texts: string[] = []
  let now = 0
  const observer = showPruning({ write: (text) => texts.push(text) }, () => now)
  for (let batch = 1; batch <= 30; batch++) {
    now += 500
    observer.rowsPruned(pruningOf(batch * 10_000, null))
  }
  observer.runFinished(RUN)
  assert.deepEqual(texts, ['public.events: 200000 old rows deleted\n'])
})
