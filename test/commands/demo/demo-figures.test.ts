import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figuresText } from '../../../src/commands/demo/demo-figures.ts'

const FIGURES = {
  processed: 120_345,
  duplicates: 361,
  dead: 24,
  perSecond: 1_204,
  lag: 0,
  runwayDays: 7,
  marginSeconds: 2 * 86_400 + 2 * 3_600 + 59,
}

test('the live line has every figure with its name and unit', () => {
  assert.equal(
    figuresText(FIGURES),
    '1,204/s  processed 120,345  duplicates 361  dead 24  lag 0  runway 7 d  margin 2 d 2 h',
  )
})

test('a margin that is gone reads as gone, and one that is not known as unknown', () => {
  assert.match(figuresText({ ...FIGURES, marginSeconds: -90_000 }), /margin -1 d 1 h$/)
  assert.match(figuresText({ ...FIGURES, marginSeconds: null }), /margin unknown$/)
})
