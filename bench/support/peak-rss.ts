import { readFileSync } from 'node:fs'

/**
 * The most memory this process has had in use, in megabytes. From /proc where there is one: `maxRSS` of a process
 * starts with that of the process which started it.
 */
export function peakRssMb(): number {
  try {
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))
    if (found !== null) return Number(found[1]) / 1024
  } catch {
    // No /proc: not Linux.
  }
  return process.resourceUsage().maxRSS / 1024
}
