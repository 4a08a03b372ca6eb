/** How the demo stands, once a second. */
export type DemoFigures = {
  /** Events with an effect, since the demo was started. */
  readonly processed: number
  readonly duplicates: number
  readonly dead: number
  /** Records handled in the last second, whatever became of them. */
  readonly perSecond: number
  /** Records that wait in the topic. */
  readonly lag: number
  readonly runwayDays: number
  /** Null until the worker has seen the topic's retention. */
  readonly marginSeconds: number | null
}

/** One line for a person. */
export function figuresText(figures: DemoFigures): string {
  const { perSecond, processed, duplicates, dead, lag, runwayDays, marginSeconds } = figures
  return [
    `${count(perSecond)}/s`,
    `processed ${count(processed)}`,
    `duplicates ${count(duplicates)}`,
    `dead ${count(dead)}`,
    `lag ${count(lag)}`,
    `runway ${runwayDays} d`,
    `margin ${marginText(marginSeconds)}`,
  ].join('  ')
}

function count(number: number): string {
  return number.toLocaleString('en')
}

/** In days and hours, rounded towards zero, so that a margin that is gone never reads as one that is left. */
function marginText(seconds: number | null): string {
  if (seconds === null) return 'unknown'
  const hours = Math.trunc(Math.abs(seconds) / 3_600)
  const sign = seconds < 0 ? '-' : ''
  return `${sign}${Math.trunc(hours / 24)} d ${hours % 24} h`
}
