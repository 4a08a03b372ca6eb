import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of one test, removed at its end. */
export function makeScratchDirectory(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'daymark-scratch-'))
  // A server that runs as another user must pass through it.
  chmodSync(path, 0o755)
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
