import { describe, test } from 'node:test'
import { freePort } from '../../src/local/free-port.ts'
import { assertEachOnce, eventuallyApplied } from '../support/ledger.ts'
import { startGroup, startServer } from '../support/own-postgres.ts'
import { eventIds } from '../support/payments.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'

/** What `pg_ctl stop -m` sends for each of its modes. */
const MODES = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

describe('a database that is restarted under load costs no event, and applies none twice, where it is stopped', () => {
  for (const [mode, signal] of Object.entries(MODES)) {
    test(`in mode ${mode}`, async () => {
      using scratch = makeScratchDirectory()
      const port = await freePort()
      await using stack = new AsyncDisposableStack()
      const server = stack.use(await startServer(scratch.path, port))
      await using group = await startGroup(server.urlOf('postgres'), { batchRows: 50 })
      const ids = eventIds('evt', 5_000)
      await group.send(ids)
      await eventuallyApplied(group.database, 500)
      await server.process.stop(signal, 10_000)
      stack.use(await startServer(scratch.path, port))
      await group.committed(ids.length)
      await assertEachOnce(group.database, ids)
    })
  }
})
