import { setTimeout as delay } from 'node:timers/promises'

/**
 * Waits for a fact, and returns what it found: the only place in the tests that sleeps. The fact is asked every
 * 20 ms; a thrown error counts as "not yet", and is the cause of the failure when the time is over.
 */
export async function eventually<Fact>(
  what: string,
  ask: () => Promise<Fact> | Fact,
  withinMs = 30_000,
): Promise<NonNullable<Exclude<Fact, false>>> {
  const deadline = Date.now() + withinMs
  let last: unknown
  for (;;) {
    try {
      const fact = await ask()
      last = fact
      if (fact !== false && fact !== null && fact !== undefined)
        return fact as NonNullable<Exclude<Fact, false>>
    } catch (error) {
      last = error
    }
    if (Date.now() > deadline) {
      throw new Error(
        `waited ${withinMs} ms for ${what}: ${last instanceof Error ? last.message : String(last)}`,
        {
          cause: last,
        },
      )
    }
    await delay(20)
  }
}
