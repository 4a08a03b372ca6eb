import type { Check } from './check.ts'

/** Readiness of the database: it answers, and the marker table has a partition for today and for tomorrow. */
export function tableCheck(readRunwayDays: () => Promise<number>): Check {
  return {
    name: 'database',
    ask: async () => {
      const runwayDays = await readRunwayDays()
      if (runwayDays < 0) return { ok: false, found: 'there is no partition for today' }
      if (runwayDays < 1) return { ok: false, found: 'there is no partition for tomorrow' }
      return { ok: true, found: `answers, with partitions for ${runwayDays} days ahead` }
    },
  }
}
