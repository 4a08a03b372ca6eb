import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeScratchDirectory } from './scratch-directory.ts'

/** Runs `use` on a PATH on which there are only these programs, each a shell script, by name. */
export async function withPrograms(
  programs: Readonly<Record<string, string>>,
  use: () => Promise<void>,
): Promise<void> {
  using scratch = makeScratchDirectory()
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(scratch.path, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }
  const path = process.env.PATH
  process.env.PATH = scratch.path
  try {
    await use()
  } finally {
    process.env.PATH = path
  }
}
