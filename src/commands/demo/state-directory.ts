import { accessSync, constants, mkdirSync } from 'node:fs'
import { LocalServerError } from '../../local/local-error.ts'

/** Makes the folder of the demo's state, or finds it as it was left. It must be ours to write in. */
export function openStateDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true })
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new LocalServerError(
      `starting the demo with its state in ${directory}: that folder cannot be written to ` +
        `(${(cause as NodeJS.ErrnoException).code}). It may belong to another user: run the demo as that user, ` +
        'or set DAYMARK_DEMO_DIRECTORY to another folder.',
      { cause },
    )
  }
}
