import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

/** Makes the error for what was tried inside guarded work: `pool.connect`, `client.query` and the like. */
type Refuse = (tried: string) => Error

const guarded = new AsyncLocalStorage<Refuse | null>()
const INSTALLED = Symbol.for('daymark.guarded-work')

/**
 * Runs work in whose async context no connection of `pg` can be used, new or pooled: a handler that takes one of its
 * own would commit its effects apart from the markers, and nobody would see it until the counts differ. What the work
 * may use goes through {@link allowed}. A handler that brings a second copy of `pg` cannot be seen from here.
 */
export function runGuarded<Result>(refuse: Refuse, work: () => Promise<Result>): Promise<Result> {
  installGuard()
  return guarded.run(refuse, work)
}

/** Steps out of the guard for one call. */
export function allowed<Result>(call: () => Result): Result {
  return guarded.run(null, call)
}

/** Wraps the four doors of `pg` once per process. Outside of guarded work they cost one look-up. */
function installGuard(): void {
  const marked = pg as unknown as { [INSTALLED]?: true }
  if (marked[INSTALLED]) return
  marked[INSTALLED] = true
  guardDoor(pg.Client.prototype, 'connect', 'client.connect')
  guardDoor(pg.Client.prototype, 'query', 'client.query')
  guardDoor(pg.Pool.prototype, 'connect', 'pool.connect')
  guardDoor(pg.Pool.prototype, 'query', 'pool.query')
}

function guardDoor(prototype: object, door: 'connect' | 'query', name: string): void {
  const doors = prototype as Record<string, (...parameters: unknown[]) => unknown>
  const open = doors[door]
  if (open === undefined) throw new Error(`guarding ${name}: this version of pg has no such function`)
  doors[door] = function guardedDoor(this: unknown, ...parameters: unknown[]): unknown {
    const refuse = guarded.getStore()
    if (refuse) throw refuse(name)
    return open.apply(this, parameters)
  }
}
