/** Zones west and far east of Greenwich, with half hours, and the one that nothing may depend on. */
export const TIME_ZONES = ['America/New_York', 'Pacific/Kiritimati', 'Asia/Kathmandu', 'UTC'] as const

/** Runs work once with each of them as the zone of the process. */
export function inEachTimeZone(work: (timeZone: string) => void): void {
  const own = process.env.TZ
  try {
    for (const timeZone of TIME_ZONES) {
      process.env.TZ = timeZone
      work(timeZone)
    }
  } finally {
    if (own === undefined) delete process.env.TZ
    else process.env.TZ = own
  }
}
