import { test } from 'node:test'
import { checkModel } from './model/check-model.ts'

test('whatever happens to a group, each event takes effect once or stands in a row that says why not', async (t) => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  t.diagnostic(`seed ${seed}`)
  await checkModel(20, seed)
})
