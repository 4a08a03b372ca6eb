import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Policy } from '../../src/maintenance/policy.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { partsOf } from './maintenance-bench.ts'

const SCRIPT = fileURLToPath(new URL('worker-process.ts', import.meta.url))

/** A worker in a process of its own; resolves when it has made its days. Killed at the end, if it still runs. */
export async function startWorkerProcess(
  db: TestDatabase,
  policy: Policy,
): Promise<AsyncDisposable & { readonly process: ChildProcess }> {
  const settings = JSON.stringify({ direct: partsOf(db).direct, policy })
  const child = spawn(process.execPath, [SCRIPT, settings], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => {
      throw new Error('expected the worker process to start, and it ended')
    }),
  ])
  return {
    process: child,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
