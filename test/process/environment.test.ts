import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readEnvironment } from '../../src/process/environment.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'

test('a variable that is empty or undefined is absent', () => {
  const { values } = readEnvironment({ A: '', B: undefined, C: '0' }, [])
  assert.deepEqual([...values.keys()], ['C'])
})

test('only secrets are looked for in files, and one newline at the end is no part of them', () => {
  using scratch = makeScratchDirectory()
  const path = join(scratch.path, 'secret')
  writeFileSync(path, 'two\nlines\n\n')
  const { values, complaints } = readEnvironment({ SECRET_FILE: path, OTHER_FILE: path }, ['SECRET'])
  assert.deepEqual(complaints, [])
  assert.deepEqual(values.get('SECRET'), { text: 'two\nlines\n', from: 'SECRET_FILE' })
  assert.equal(values.get('OTHER'), undefined)
})

test('a file that cannot be read, and a secret that is given twice, are complaints', () => {
  const given = { A_FILE: '/nowhere/at/all', B: 'x', B_FILE: '/nowhere/at/all' }
  assert.deepEqual(readEnvironment(given, ['A', 'B']).complaints, [
    "expected A_FILE to be a file that can be read, got '/nowhere/at/all': ENOENT",
    'expected B or B_FILE, got both (from the environment)',
  ])
})
