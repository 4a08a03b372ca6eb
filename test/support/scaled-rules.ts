const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * A copy of a rule file in which time passes faster: every `for`, range and offset is divided by `divisor`. Thresholds
 * stay what they are, because what they are compared with is real.
 */
export function scaleRules(rules: string, divisor: number): string {
  const scaled = (before: string, count: string, unit: string, behind: string): string =>
    `${before}${Math.ceil((Number(count) * (UNITS_MS[unit] ?? 0)) / divisor)}ms${behind}`
  return rules
    .replaceAll(/(\bfor: )(\d+)([smhd])(\n)/g, (_, ...parts: string[]) => scaled(...four(parts)))
    .replaceAll(/(\[)(\d+)([smhd])(\])/g, (_, ...parts: string[]) => scaled(...four(parts)))
    .replaceAll(/(\boffset )(\d+)([smhd])(\b)/g, (_, ...parts: string[]) => scaled(...four(parts)))
}

function four([before = '', count = '', unit = '', behind = '']: readonly string[]): [
  string,
  string,
  string,
  string,
] {
  return [before, count, unit, behind]
}
