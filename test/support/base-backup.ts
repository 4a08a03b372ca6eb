import assert from 'node:assert/strict'
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from '../../src/local/run-program.ts'
import { openDirectSession } from '../../src/postgres/direct-session.ts'

/**
 * Copies the data of a running server, as `pg_basebackup` would: the binaries that we have do not bring it.
 * https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 * The log is copied once more after the end, so that the copy can be started without an archive.
 */
export async function takeBaseBackup(url: string, data: string, copy: string): Promise<void> {
  await using session = await openDirectSession({
    url,
    schema: 'daymark',
    poolSize: 1,
    applicationName: 'daymark:test-backup',
  })
  await session.query(`select pg_backup_start('test', true)`)
  await copyAll(data, copy)
  const { rows } = await session.query<{ label: string }>(
    'select labelfile as "label" from pg_backup_stop(wait_for_archive => false)',
  )
  assert.ok(rows[0] !== undefined, 'a backup that ends has a label')
  await copyAll(join(data, 'pg_wal'), join(copy, 'pg_wal'))
  rmSync(join(copy, 'postmaster.pid'))
  addToData(copy, 'backup_label', rows[0].label)
}

/** Puts a backup in the place of a stopped server's data. */
export async function restoreBaseBackup(copy: string, data: string): Promise<void> {
  rmSync(data, { recursive: true })
  await copyAll(copy, data)
}

/** Writes a file that the server must own as it owns the rest, since it opens it for writing. */
export function addToData(data: string, name: string, text: string): void {
  const file = join(data, name)
  const { uid, gid } = statSync(data)
  writeFileSync(file, text)
  chownSync(file, uid, gid)
}

/** `cp` keeps whom the files belong to; Node's copy does not. */
async function copyAll(from: string, into: string): Promise<void> {
  const copied = await runProgram(['cp', '-aT', from, into])
  assert.equal(copied.outcome, 'done', copied.stderr)
}
