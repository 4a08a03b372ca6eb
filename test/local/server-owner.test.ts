import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findServerOwner, readUsers } from '../../src/local/server-owner.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'

const isRoot = userInfo().uid === 0
const POSTGRES = { name: 'postgres', uid: 101, gid: 104 }
const NOBODY = { name: 'nobody', uid: 65_534, gid: 65_534 }

test('users are read from a passwd file', () => {
  using scratch = makeScratchDirectory()
  const file = join(scratch.path, 'passwd')
  writeFileSync(
    file,
    'root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65533:nobody:/:/bin/false\n\n# a comment\n',
  )
  assert.deepEqual(readUsers(file), [
    { name: 'root', uid: 0, gid: 0 },
    { name: 'nobody', uid: 65_534, gid: 65_533 },
  ])
})

test('root runs PostgreSQL as postgres, or as nobody where there is no such user; all others as themselves', async () => {
  using scratch = makeScratchDirectory()
  const ownerAmong = async (...users: (typeof POSTGRES)[]) =>
    (await findServerOwner(process.execPath, scratch.path, users)).files?.uid
  assert.equal(await ownerAmong(NOBODY, POSTGRES), isRoot ? 101 : undefined)
  assert.equal(await ownerAmong(NOBODY), isRoot ? 65_534 : undefined)
})

test('without a user to run it as, root hears what to do', async () => {
  using scratch = makeScratchDirectory()
  const finding = findServerOwner(process.execPath, scratch.path, [])
  if (!isRoot) assert.deepEqual(await finding, { wrapper: [] })
  else
    await assert.rejects(
      finding,
      /no user postgres or nobody to run it as\. Add one, run daymark as an ordinary/,
    )
})
