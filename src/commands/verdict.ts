import { durationText } from '../maintenance/duration-text.ts'

/** `safe`: nothing to do. `attention`: it still holds, and somebody should act. `unsafe`: act now. */
export type Verdict = {
  readonly level: 'safe' | 'attention' | 'unsafe'
  readonly sentence: string
  /** What to do, the most urgent first; empty where all is well. */
  readonly advice: readonly string[]
}

/** What the verdict is made of. */
export type VerdictFacts = {
  readonly tables: readonly {
    readonly table: string
    readonly isPartitioned: boolean
    readonly runwayDays: number
    readonly isDetachPending: boolean
    readonly oldestAgeMs: number | null
    readonly marginMs: number | null
  }[]
  /** How far back the broker reaches, as measured; null where it could not be asked, or holds nothing. */
  readonly replayableMs: number | null
  readonly groups: readonly { readonly lostRecords: string }[]
  readonly deadLetters: readonly { readonly waiting: number }[]
  readonly complaints: readonly string[]
}

type Finding = { readonly level: 'attention' | 'unsafe'; readonly found: string; readonly advice: string }

/** Says in a sentence whether an event could be applied twice or lost, and what to do about it. Pure. */
export function verdictOf(facts: VerdictFacts): Verdict {
  const findings = [...facts.tables.flatMap((table) => tableFindings(table)), ...otherFindings(facts)]
  const worst = findings.find(({ level }) => level === 'unsafe') ?? findings[0]
  if (worst === undefined) return { level: 'safe', sentence: `Safe: ${reachText(facts)}`, advice: [] }
  const word = worst.level === 'unsafe' ? 'Unsafe' : 'Attention'
  const urgent = findings.toSorted((a, b) => Number(b.level === 'unsafe') - Number(a.level === 'unsafe'))
  const sentence = `${word}: ${urgent.map(({ found }) => found).join('; ')}`
  return { level: worst.level, sentence, advice: urgent.map(({ advice }) => advice) }
}

function tableFindings(table: VerdictFacts['tables'][number]): Finding[] {
  const findings: Finding[] = []
  const { table: name, isPartitioned, runwayDays, marginMs } = table
  const run = 'run `daymark apply`, and see why the worker did not'
  if (isPartitioned && runwayDays < 0)
    findings.push({ level: 'unsafe', found: `${name} has no partition for today`, advice: run })
  else if (isPartitioned && runwayDays < 1)
    findings.push({ level: 'unsafe', found: `${name} has no partition for tomorrow`, advice: run })
  else if (isPartitioned && runwayDays < 3)
    findings.push({
      level: 'attention',
      found: `${name} has days ahead for ${runwayDays} d only`,
      advice: run,
    })
  if (table.isDetachPending) {
    findings.push({
      level: 'attention',
      found: `a detach of ${name} was begun and not finished`,
      advice: 'the next run finishes it; `daymark apply` does it now',
    })
  }
  // A table that is younger than the retention has had nothing dropped: a short reach alone is no danger.
  return marginMs === null || marginMs >= 0 ? findings : [...findings, shortReach(name, marginMs)]
}

function shortReach(name: string, marginMs: number): Finding {
  return {
    level: 'attention',
    found: `the markers of ${name} reach ${durationText(-marginMs)} less far back than the topics may keep their records`,
    advice:
      'expected while the table is younger than the retention of its topics; else see whether a retention was lengthened. What comes again from behind the fence is refused as expired',
  }
}

function otherFindings({ groups, deadLetters, complaints }: VerdictFacts): Finding[] {
  const findings: Finding[] = []
  if (groups.some(({ lostRecords }) => lostRecords !== '0')) {
    findings.push({
      level: 'attention',
      found: 'records were deleted by the broker before they were read',
      advice: 'see `daymark progress show`, and compare with the producer',
    })
  }
  const waiting = deadLetters.reduce((sum, each) => sum + each.waiting, 0)
  if (waiting > 0) {
    findings.push({
      level: 'attention',
      found: waiting === 1 ? '1 dead letter waits' : `${waiting} dead letters wait`,
      advice: 'look at them with `daymark dead-letters list`, then replay or discard them',
    })
  }
  for (const found of complaints)
    findings.push({ level: 'attention', found, advice: 'see whether the broker is up and can be reached' })
  return findings
}

function reachText({ tables, replayableMs }: VerdictFacts): string {
  const reachMs = tables[0]?.oldestAgeMs ?? null
  if (reachMs === null) return 'nothing has been marked yet'
  const markers = `markers reach back ${durationText(reachMs)}`
  if (replayableMs === null)
    return `${markers}; the broker was not asked, or holds nothing that it could redeliver`
  const marginMs = reachMs - replayableMs
  const margin = marginMs < 0 ? `the fence refuses the rest` : `margin ${durationText(marginMs)}`
  return `${markers}, the broker can redeliver ${durationText(Math.max(0, replayableMs))}, ${margin}`
}
