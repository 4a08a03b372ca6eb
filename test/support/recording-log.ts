import type { Log, LogFields } from '../../src/process/log.ts'

export type LogLine = { readonly level: string; readonly sentence: string; readonly fields: LogFields }

/** A log that keeps its lines, for what is only said there. */
export function openRecordingLog(): Log & { readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = []
  const write =
    (level: string) =>
    (fields: LogFields, sentence: string): void => {
      lines.push({ level, sentence, fields })
    }
  const log = {
    lines,
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    isDebug: () => false,
    child: () => log,
  }
  return log
}
