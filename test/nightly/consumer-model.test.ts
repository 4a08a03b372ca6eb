import { test } from 'node:test'
import { checkModel } from '../consumer/model/check-model.ts'

test('three hundred random histories of a group end as the model says', async (t) => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  t.diagnostic(`seed ${seed}`)
  await checkModel(300, seed)
})
