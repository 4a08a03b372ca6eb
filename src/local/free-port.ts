import { createServer } from 'node:net'
import { LocalServerError } from './local-error.ts'

/** A port of the loopback interface that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('listening on 127.0.0.1: got no port')
  return address.port
}

/**
 * Makes sure that a server can listen on a port of the loopback interface, so that a taken one is a sentence and not
 * the end of a server's log. `advice` says what else can be done.
 */
export async function requireFreePort(server: string, port: number, advice: string): Promise<void> {
  const found = await failureToListen(port)
  if (found === null) return
  throw new LocalServerError(
    `starting ${server} on 127.0.0.1:${port}: ` +
      `${found === 'EADDRINUSE' ? 'the port is taken' : `listening there failed (${found})`}. ${advice}`,
  )
}

async function failureToListen(port: number): Promise<string | null> {
  const server = createServer()
  const found = await new Promise<string | null>((resolve) => {
    server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, '127.0.0.1', () => resolve(null))
  })
  if (found === null) await new Promise((resolve) => server.close(resolve))
  return found
}
