import { runProgram } from './run-program.ts'

/**
 * A command that the kernel ends when this process dies without a chance to end it, such as by `kill -9`. It takes
 * setpriv of util-linux for that (BusyBox's cannot); elsewhere the command stays as it is, and what such a death
 * leaves behind is ended by the next start.
 */
export async function boundCommand(
  deathSignal: 'INT' | 'KILL',
  command: readonly string[],
): Promise<readonly string[]> {
  const bound = ['setpriv', `--pdeathsig=${deathSignal}`]
  const { outcome } = await runProgram([...bound, 'true'])
  return outcome === 'done' ? [...bound, ...command] : command
}
