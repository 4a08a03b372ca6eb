import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'daymark-test-'

/** Makes the folder of a test run, and clears away those of runs that were killed before they could. */
export function makeRunDirectory(parent = tmpdir()): string {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(PREFIX))) {
    if (!isRunning(Number(name.split('-')[2]))) rmSync(join(parent, name), { recursive: true, force: true })
  }
  const directory = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`))
  // The user that PostgreSQL runs as must pass through it.
  chmodSync(directory, 0o755)
  return directory
}

/** Without /proc nothing is known of other processes, and nothing is cleared away. */
function isRunning(pid: number): boolean {
  return !existsSync('/proc/self') || existsSync(`/proc/${pid}`)
}
