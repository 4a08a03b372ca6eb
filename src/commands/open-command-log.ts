import { type Log, type LogLevel, openLog } from '../process/log.ts'

/** The log of a command that answers and ends: its answer says what there is to say, so only errors, or everything. */
export function openCommandLog(level: LogLevel): Log {
  return openLog({ level: level === 'debug' || level === 'silent' ? level : 'error' })
}
