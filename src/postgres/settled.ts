/**
 * Waits until every one of these has settled, then gives their values, or throws the error of the first that failed,
 * in the order in which they were sent: what follows a failed statement of a transaction fails only because of it.
 * Nothing may be decided while a pipelined statement is still under way.
 */
export async function settled<const Pending extends readonly Promise<unknown>[]>(
  pending: Pending,
): Promise<{ -readonly [Index in keyof Pending]: Awaited<Pending[Index]> }> {
  const answers = await Promise.allSettled(pending)
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (failed) throw failed.reason
  return answers.map((answer) => (answer as PromiseFulfilledResult<unknown>).value) as {
    -readonly [Index in keyof Pending]: Awaited<Pending[Index]>
  }
}
