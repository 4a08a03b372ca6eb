import { createTask } from 'node-cron'
import type { Log } from '../process/log.ts'

/** Something a process must know about itself, asked every minute. It may be missed without harm, and may fail. */
export type Probe = { readonly name: string; readonly ask: () => Promise<void> }

export type Probes = { stop(): Promise<void> }

/**
 * Asks every probe once a minute, on the minute in UTC, never twice at once. node-cron, not pg-boss: this concerns each
 * process by itself, must go on while the database is away, and is worth nothing afterwards.
 */
export function startProbes(probes: readonly Probe[], log: Log): Probes {
  const task = createTask('* * * * *', () => askProbes(probes, log), {
    // Its own default is the zone of the process.
    timezone: 'UTC',
    noOverlap: true,
    suppressMissedWarning: true,
    unref: true,
    logger: {
      info: (message) => log.debug({ library: 'node-cron' }, message),
      debug: (message) => log.debug({ library: 'node-cron' }, String(message)),
      warn: (message) => log.warn({ library: 'node-cron' }, message),
      error: (message) => log.error({ library: 'node-cron' }, String(message)),
    },
  })
  task.start()
  return {
    async stop() {
      await task.destroy()
    },
  }
}

/** Asks each in turn; one that fails is logged and holds up none of the others. */
export async function askProbes(probes: readonly Probe[], log: Log): Promise<void> {
  for (const { name, ask } of probes) {
    try {
      await ask()
    } catch (error) {
      log.warn({ probe: name, err: error }, 'a probe failed and is asked again in a minute')
    }
  }
}
