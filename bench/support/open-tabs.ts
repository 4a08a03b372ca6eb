import { setTimeout as delay } from 'node:timers/promises'

/** What a tab asks at each refresh. */
const ANSWERS = ['state', 'plan', 'rates', 'settings'] as const
export type Answer = (typeof ANSWERS)[number]

/** How long each answer took, in milliseconds. */
export type TabFigures = Readonly<Record<Answer, readonly number[]>>

/**
 * So many tabs of the page, each asking for all that it shows every `refreshMs`, with the ETag of the answer before, as
 * a browser does. They begin one after the other, not all at once.
 */
export async function openTabs(
  base: string,
  count: number,
  refreshMs: number,
  signal: AbortSignal,
): Promise<TabFigures> {
  const figures: Record<Answer, number[]> = { state: [], plan: [], rates: [], settings: [] }
  async function tab(number: number): Promise<void> {
    const etags = new Map<Answer, string>()
    await delay((refreshMs / count) * number)
    while (!signal.aborted) {
      const nextAt = performance.now() + refreshMs
      await Promise.all(ANSWERS.map((name) => ask(name, etags)))
      await delay(Math.max(0, nextAt - performance.now()))
    }
  }
  async function ask(name: Answer, etags: Map<Answer, string>): Promise<void> {
    const beganAt = performance.now()
    const response = await fetch(`${base}/api/v1/${name}`, {
      headers: { 'if-none-match': etags.get(name) ?? '' },
    })
    await response.arrayBuffer()
    if (![200, 304].includes(response.status))
      throw new Error(`asking for ${name}: expected 200 or 304, got ${response.status}`)
    figures[name].push(performance.now() - beganAt)
    etags.set(name, response.headers.get('etag') ?? '')
  }
  await Promise.all(Array.from({ length: count }, (_, number) => tab(number)))
  return figures
}
