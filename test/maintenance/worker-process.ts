import { silentObserver } from '../../src/maintenance/maintenance-observer.ts'
import type { Policy } from '../../src/maintenance/policy.ts'
import { startWorker } from '../../src/maintenance/worker.ts'
import type { DatabaseSettings } from '../../src/postgres/database-settings.ts'
import { openLog } from '../../src/process/log.ts'

/** A worker as a process of its own, to be killed: `node worker-process.ts '{"direct":…,"policy":…}'`. */
const { direct, policy } = JSON.parse(process.argv[2] ?? '') as { direct: DatabaseSettings; policy: Policy }
const worker = await startWorker(
  { direct, kafka: null, log: openLog({ level: 'warn' }), observer: silentObserver },
  [policy],
)
process.on('SIGTERM', () => void worker.stop())
process.stdout.write('started\n')
await worker.done
