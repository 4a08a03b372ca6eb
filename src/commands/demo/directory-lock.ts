import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { platform } from 'node:os'
import { LocalServerError } from '../../local/local-error.ts'

/**
 * Holds a folder for one demo at a time: a second one would take the servers of the first for left over, and end them.
 * The lock is an abstract socket of Linux, which goes with the process however that ends, so nothing stale can be in
 * the way. Other systems have none; there the servers' own ports are taken, and the second demo says so.
 * https://man7.org/linux/man-pages/man7/unix.7.html
 */
export async function lockDirectory(directory: string): Promise<Disposable> {
  if (platform() !== 'linux') return { [Symbol.dispose]: () => undefined }
  const name = `\0daymark-demo-${createHash('sha256').update(directory).digest('hex').slice(0, 32)}`
  const holder = createServer((visitor) => visitor.destroy())
  await new Promise<void>((resolve, reject) => {
    holder.on('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? alreadyRunning(directory, error) : error)
    })
    holder.listen(name, resolve)
  })
  holder.unref()
  return { [Symbol.dispose]: () => holder.close() }
}

function alreadyRunning(directory: string, cause: Error): LocalServerError {
  return new LocalServerError(
    `starting the demo: another one runs already, with its state in ${directory}. ` +
      'Stop that one first, or start this one in another checkout and on other ports.',
    { cause },
  )
}
