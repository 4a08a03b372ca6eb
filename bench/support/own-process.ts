import { fork } from 'node:child_process'
import { once } from 'node:events'

/**
 * Runs a module in a process of its own, so that neither memory nor compiled code of another case is counted with it,
 * and resolves to the one message that it sends. Killed when its time is over, or at the signal.
 */
export async function inOwnProcess<Answer>(
  module: URL,
  parameters: readonly string[],
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Answer> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)])
  const child = fork(module, parameters, { signal, killSignal: 'SIGKILL', stdio: ['ignore', 2, 2, 'ipc'] })
  let answer: Answer | undefined
  child.on('message', (message) => {
    answer = message as Answer
  })
  const outcome = await once(child, 'close').then(
    ([exitCode]) => `it ended with ${exitCode}`,
    () => `it was ended after ${options.timeoutMs / 1_000} s`,
  )
  options.signal.throwIfAborted()
  if (answer !== undefined) return answer
  throw new Error(`running ${module.pathname.split('/').at(-1)} ${parameters[0] ?? ''}: ${outcome}`)
}
