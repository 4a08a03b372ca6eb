import { stderr as processStderr, stdout as processStdout } from 'node:process'
import type { WriteStream } from 'node:tty'
import { type DemoFigures, figuresText } from './demo-figures.ts'

/** What the demo shows: messages for people on stderr, figures on stdout. */
export type DemoScreen = {
  say(sentence: string): void
  show(figures: DemoFigures): void
  /** Ends the live line. */
  end(): void
}

type Output = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>

const CLEAR_LINE = '\r\u001b[K'

/** The screen of this process. `onReaderGone` hears when nobody reads it any more, as after `head`. */
export function openDemoScreen(onReaderGone: () => void): DemoScreen {
  for (const stream of [processStdout, processStderr]) {
    // Other commands end at once when their reader goes; here servers have to be stopped first.
    stream.removeAllListeners('error')
    stream.on('error', onReaderGone)
  }
  return openScreenOn(processStdout, processStderr)
}

/** On a terminal the figures are one line that is written over; otherwise a line of JSON each. */
export function openScreenOn(stdout: Output, stderr: Output): DemoScreen {
  return stdout.isTTY ? liveScreen(stdout, stderr) : linesScreen(stdout, stderr)
}

function liveScreen(stdout: Output, stderr: Output): DemoScreen {
  let line = ''
  const draw = (): void => {
    // A line that wraps could not be written over.
    stdout.write(`${CLEAR_LINE}${line.slice(0, (stdout.columns ?? 80) - 1)}`)
  }
  return {
    say(sentence) {
      if (line !== '') stdout.write(CLEAR_LINE)
      stderr.write(`${sentence}\n`)
      if (line !== '') draw()
    },
    show(figures) {
      line = figuresText(figures)
      draw()
    },
    end() {
      if (line !== '') stdout.write('\n')
      line = ''
    },
  }
}

function linesScreen(stdout: Output, stderr: Output): DemoScreen {
  return {
    say: (sentence) => void stderr.write(`${sentence}\n`),
    show: (figures) => void stdout.write(`${JSON.stringify(figures)}\n`),
    end: () => undefined,
  }
}
