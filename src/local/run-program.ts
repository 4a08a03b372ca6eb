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

/** Runs a program to its end. Rejects only where it was aborted: how it ended is for the caller to judge. */
export function runProgram(
  [program = '', ...args]: readonly string[],
  { onOutput, ...options }: ProgramOptions = {},
): Promise<ProgramOutcome> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { ...options, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (options.signal?.aborted) reject(options.signal.reason)
        else resolve({ outcome: outcomeOf(error), stdout, stderr })
      },
    )
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
