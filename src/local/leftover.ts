import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

export type Leftover = {
  /** The file in which the server, or whoever started it, wrote its process id on the first line. */
  readonly pidFile: string
  /** Text of its command line that no other process has: the path of what it holds. */
  readonly mark: string
  readonly signal: 'SIGINT' | 'SIGKILL'
  readonly timeoutMs: number
}

/**
 * Ends a server that outlived the process that started it, because it still holds its directory and its port. A
 * process id alone proves nothing, since ids are used again, so the command line decides. Where there is no /proc
 * nothing is ended, and the server's port is found taken.
 */
export async function endLeftover(leftover: Leftover): Promise<void> {
  const pid = pidIn(leftover.pidFile)
  if (pid === null || !holds(pid, leftover.mark)) return
  process.kill(pid, leftover.signal)
  const deadline = Date.now() + leftover.timeoutMs
  while (holds(pid, leftover.mark)) {
    if (Date.now() > deadline) process.kill(pid, 'SIGKILL')
    await delay(50)
  }
}

function pidIn(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
    return Number.isSafeInteger(pid) && pid > 1 ? pid : null
  } catch {
    // No file: nothing was started here, or it was stopped as it should be.
    return null
  }
}

function holds(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark)
  } catch {
    // No such process, or no /proc.
    return false
  }
}
