import { openSync, writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import { type Log, type LogLevel, openLog } from '../../process/log.ts'

/** A log in a file, because the terminal is for the live line. Written at once, as the log on stderr is. */
export function openFileLog(path: string, level: LogLevel): Log {
  const file = openSync(path, 'a')
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      writeSync(file, chunk)
      done()
    },
  })
  return openLog({ level, destination })
}
