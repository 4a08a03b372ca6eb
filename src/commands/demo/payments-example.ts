import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Queryable } from '../../postgres/queryable.ts'
import { RefusedError } from '../refused-error.ts'
import type { SampleSource } from './sample-producer.ts'

const EXAMPLE = new URL('../../../examples/payments/', import.meta.url)

/** What the demo runs: the handler of examples/payments. */
export const HANDLER_PATH = fileURLToPath(new URL('handler.ts', EXAMPLE))

/** The published package leaves the examples out, and what only they and the tests need. */
export function requireExample(): void {
  if (existsSync(HANDLER_PATH)) return
  throw new RefusedError(
    `starting the demo: ${HANDLER_PATH} is not there. The demo runs in a checkout of daymark: ` +
      'clone it, then run `npm ci` and `npm start` there.',
  )
}

/** Makes the table that the handler writes to, unless it is there. */
export async function createLedger(db: Queryable): Promise<void> {
  await db.query(await readFile(new URL('ledger_entries.sql', EXAMPLE), 'utf8'))
}

/** The sample payments from now on. Loaded by its address: the build of the package ends at src. */
export async function openSampleSource(perSecond: number): Promise<SampleSource> {
  const { createSampleStream } = await import(new URL('sample-stream.ts', EXAMPLE).href)
  const { seededRandom } = await import(new URL('seeded-random.ts', EXAMPLE).href)
  const startedAtMs = Date.now()
  return createSampleStream({ random: seededRandom(startedAtMs), startedAtMs, perSecond })
}
