import { test } from 'node:test'
import { stopAtRandomMoments } from '../support/stop-at-random-moments.ts'

test('a hundred processes that are told to stop at random moments end in time, and nothing is lost or applied twice', async (t) => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  t.diagnostic(`seed ${seed}`)
  await stopAtRandomMoments(100, seed)
})
