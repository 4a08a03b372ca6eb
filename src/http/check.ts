/** What one check found: a word or two for people, and whether it is as it should be. */
export type Finding = { readonly ok: boolean; readonly found: string }

/** One thing that health depends on. */
export type Check = { readonly name: string; readonly ask: () => Finding | Promise<Finding> }

/** Every check with what it found, and whether all are well. */
export type Health = {
  readonly ok: boolean
  readonly checks: readonly (Finding & { readonly name: string })[]
}

/**
 * Asks every check at once. One that throws or does not answer in time has found that out: a probe must get its answer
 * also while the database accepts connections and says nothing.
 */
export async function askChecks(checks: readonly Check[], withinMs: number): Promise<Health> {
  const findings = await Promise.all(
    checks.map(async ({ name, ask }) => ({ name, ...(await answerWithin(ask, withinMs)) })),
  )
  return { ok: findings.every(({ ok }) => ok), checks: findings }
}

async function answerWithin(ask: Check['ask'], withinMs: number): Promise<Finding> {
  const late = Promise.withResolvers<Finding>()
  const timer = setTimeout(
    () => late.resolve({ ok: false, found: `no answer within ${withinMs} ms` }),
    withinMs,
  )
  try {
    return await Promise.race([Promise.resolve().then(ask), late.promise])
  } catch (error) {
    return { ok: false, found: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(timer)
  }
}
