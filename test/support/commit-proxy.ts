import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Where the connection breaks: the COMMIT never arrives, its answer never does, or the client goes while it runs. */
export type Break = 'before' | 'after' | 'during'

/** A proxy that cuts the connection around the next COMMIT, once it is armed. */
export type CommitProxy = AsyncDisposable & {
  readonly url: string
  /** Resolves when the connection has been cut. */
  arm(where: Break): Promise<void>
}

/** Opens one in front of the server of a `postgres://` address. */
export async function openCommitProxy(serverUrl: string): Promise<CommitProxy> {
  const { hostname, port } = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let armed: { readonly where: Break; readonly struck: () => void } | null = null
  const server = createServer((inward) => {
    const outward = connect({ host: hostname, port: Number(port) })
    let strike: (() => void) | null = null
    for (const socket of [inward, outward]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    inward.on('data', (bytes) => {
      if (armed === null || !isCommit(bytes)) return void outward.write(bytes)
      const { where, struck } = armed
      armed = null
      if (where !== 'before') outward.write(bytes)
      if (where === 'after') {
        strike = struck
        return
      }
      // During: the server's end stays open, so that its backend knows of nothing while it commits.
      if (where === 'before') outward.destroy()
      inward.destroy()
      struck()
    })
    inward.on('close', () => {
      if (strike === null && !outward.destroyed) outward.end()
    })
    outward.on('data', (bytes) => {
      if (strike === null) return void (inward.destroyed || inward.write(bytes))
      inward.destroy()
      outward.destroy()
      strike()
    })
    outward.on('close', () => inward.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    async arm(where) {
      const { promise, resolve } = Promise.withResolvers<void>()
      armed = { where, struck: resolve }
      await promise
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The end of a statement's text; `begin isolation level read committed` has another. */
function isCommit(bytes: Buffer): boolean {
  return bytes.includes('commit\0')
}
