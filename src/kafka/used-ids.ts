/** An event id was used before in the session of its producer: another event must have another one. */
export class IdReusedError extends Error {
  override readonly name = 'IdReusedError'
  readonly code = 'ID_REUSED'
  readonly eventId: string

  constructor(eventId: string) {
    super(
      `sending the event ${JSON.stringify(eventId)}: its id was used before in this session. ` +
        'Give every event an id of its own, or none, and it gets a UUIDv7.',
    )
    this.eventId = eventId
  }
}

/** Remembers the ids that were used last, `most` of them: beyond that the oldest is forgotten first. */
export class UsedIds {
  readonly #most: number
  readonly #ids = new Set<string>()

  constructor(most: number) {
    this.#most = most
  }

  /** Takes ids into use, all or none; throws for the first that is used already, here or among themselves. */
  take(ids: readonly string[]): void {
    const fresh = new Set<string>()
    for (const id of ids) {
      if (this.#ids.has(id) || fresh.has(id)) throw new IdReusedError(id)
      fresh.add(id)
    }
    for (const id of fresh) this.#ids.add(id)
    for (const id of this.#ids) {
      if (this.#ids.size <= this.#most) break
      this.#ids.delete(id)
    }
  }

  /** Gives ids back that came to nothing: a send that failed is tried again under the same id. */
  giveBack(ids: readonly string[]): void {
    for (const id of ids) this.#ids.delete(id)
  }
}
