import type { Check, Finding } from './check.ts'

/** What health has to know of a topic partition. */
export type PartitionProgress = {
  readonly topic: string
  readonly partition: number
  readonly state: 'reading' | 'waiting'
  /** Why it waits; null where it does not. */
  readonly waitingFor: string | null
  readonly nextOffset: string
  readonly lag: number
}

export type ConsumerHealth = { readonly joined: boolean; readonly partitions: readonly PartitionProgress[] }

/**
 * Watches whether the process should go on: red when records wait in a topic partition and its next offset has stood
 * still for `stalledAfterMs`, counted from when a probe first saw both, because the time of the last progress says
 * nothing on a quiet topic. One that waits on purpose is no reason to restart, and neither is a rebalance.
 */
export function watchProgress(stalledAfterMs: number): (health: ConsumerHealth, nowMs: number) => Finding {
  let standing = new Map<string, { readonly nextOffset: string; readonly sinceMs: number }>()
  return ({ partitions }, nowMs) => {
    const behind = partitions.filter(({ state, lag }) => state === 'reading' && lag > 0)
    standing = new Map(
      behind.map((each) => {
        const before = standing.get(nameOf(each))
        const isSame = before !== undefined && before.nextOffset === each.nextOffset
        return [nameOf(each), isSame ? before : { nextOffset: each.nextOffset, sinceMs: nowMs }]
      }),
    )
    const stalled = [...standing].filter(([, { sinceMs }]) => nowMs - sinceMs > stalledAfterMs)
    if (stalled.length === 0) return { ok: true, found: 'no topic partition stands still' }
    return { ok: false, found: `no progress in spite of lag: ${stalled.map(([name]) => name).join(', ')}` }
  }
}

/** Readiness of a consumer: it is a member of its group, and no topic partition waits for a person. */
export function consumerReadiness(read: () => ConsumerHealth): Check[] {
  return [
    {
      name: 'group',
      ask: () => {
        const { joined, partitions } = read()
        return {
          ok: joined,
          found: joined ? `joined, with ${partitions.length} topic partitions` : 'not joined',
        }
      },
    },
    {
      name: 'partitions',
      ask: () => {
        const waiting = read().partitions.filter(({ state }) => state === 'waiting')
        if (waiting.length === 0) return { ok: true, found: 'none waits' }
        return {
          ok: false,
          found: waiting
            .map((each) => `${nameOf(each)} waits: ${each.waitingFor ?? 'no reason given'}`)
            .join('; '),
        }
      },
    },
  ]
}

function nameOf({ topic, partition }: PartitionProgress): string {
  return `${topic}[${partition}]`
}
