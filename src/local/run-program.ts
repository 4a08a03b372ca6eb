import { execFile } from 'node:child_process'

/** How a program ended. `missing`: it is not installed; `forbidden`: its user may not execute it. */
export type ProgramOutcome = {
  readonly outcome: 'done' | 'failed' | 'missing' | 'forbidden'
  readonly stdout: string
  readonly stderr: string
}

export type ProgramOptions = {
  readonly cwd?: string
  readonly uid?: number
  readonly gid?: number
  /** Ends the program; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Hears each piece of its stdout as it comes. */
  readonly onOutput?: (piece: string) => void
}

/**
 * Runs a program to its end. Rejects only where it was aborted, once it and what it had started have ended: how it ended
 * otherwise is for the caller to judge.
 */
export function runProgram(
  [program = '', ...args]: readonly string[],
  { onOutput, signal, ...options }: ProgramOptions = {},
): Promise<ProgramOutcome> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const limits = { ...options, maxBuffer: 64 * 1024 * 1024 }
    const child = execFile(program, args, limits, (error, stdout, stderr) => {
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason)
      else resolve({ outcome: outcomeOf(error), stdout, stderr })
    })
    // execFile's own handling of a signal would answer at once, while the program is still ending.
    const end = (): void => void child.kill()
    signal?.addEventListener('abort', end)
    if (onOutput !== undefined) child.stdout?.on('data', onOutput)
  })
}

function outcomeOf(error: Error | null): ProgramOutcome['outcome'] {
  if (error === null) return 'done'
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'missing'
  if (code === 'EACCES') return 'forbidden'
  return 'failed'
}
