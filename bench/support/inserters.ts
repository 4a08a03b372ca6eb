import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { InsertWaits } from './insert-waits.ts'

const MODULE = new URL('./run-inserters.ts', import.meta.url)
/** Until connections are open, plans are made and code is compiled. */
const WARM_UP_MS = 1_500

/** Inserts that go on all the time. Killed when disposed, if they still run. */
export type Inserters = Disposable & {
  /** Ends them, and says how long they took since they were warm. */
  stop(): Promise<InsertWaits>
}

/** Starts four sessions that insert; `statement` takes the id of the row. */
export async function startInserters(url: string, statement: string): Promise<Inserters> {
  const child = fork(MODULE, [url, statement], { stdio: ['ignore', 2, 2, 'ipc'] })
  const ended = once(child, 'close')
  await Promise.race([delay(WARM_UP_MS), ended])
  if (child.connected) child.send('measure')
  return {
    async stop() {
      const answered = once(child, 'message')
      if (child.connected) child.send('stop')
      const outcome = await Promise.race([answered, ended.then(() => null)])
      if (outcome === null)
        throw new Error('inserting all the time: an insert failed; its error stands above')
      await ended
      return outcome[0] as InsertWaits
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}
