import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { openScreenOn } from '../../../src/commands/demo/demo-screen.ts'

const FIGURES = {
  processed: 5,
  duplicates: 1,
  dead: 0,
  perSecond: 6,
  lag: 2,
  runwayDays: 7,
  marginSeconds: 3_600,
}

test('piped, each look is a line of JSON on stdout with exactly the figures, and messages go to stderr', () => {
  const { screen, written } = screenOn({})
  screen.say('starting')
  screen.show(FIGURES)
  screen.show({ ...FIGURES, processed: 11 })
  screen.end()
  const { stdout, stderr } = written()
  const lines = stdout.trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [FIGURES, { ...FIGURES, processed: 11 }],
  )
  assert.equal(stderr, 'starting\n')
})

test('on a terminal one line is written over, no wider than the terminal, and ended once', () => {
  const { screen, written } = screenOn({ isTTY: true, columns: 20 })
  screen.show(FIGURES)
  screen.show({ ...FIGURES, perSecond: 7 })
  screen.end()
  screen.end()
  assert.equal(written().stdout, '\r\u001b[K6/s  processed 5  d\r\u001b[K7/s  processed 5  d\n')
})

test('a message on a terminal takes the place of the live line, which comes again below it', () => {
  const { screen, written } = screenOn({ isTTY: true, columns: 10 })
  screen.show(FIGURES)
  screen.say('something happened')
  const { stdout, stderr } = written()
  assert.equal(stdout, '\r\u001b[K6/s  proc\r\u001b[K\r\u001b[K6/s  proc')
  assert.equal(stderr, 'something happened\n')
})

function screenOn(terminal: { isTTY?: boolean; columns?: number }) {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  return {
    screen: openScreenOn(Object.assign(stdout, terminal), stderr),
    written: () => ({ stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') }),
  }
}
