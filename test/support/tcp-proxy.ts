import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands between a client and a server, so that a test can do to the connection what networks do. */
export type TcpProxy = AsyncDisposable & {
  /** The server's address, by way of the proxy. */
  readonly url: string
  /** Everything that clients have sent so far. */
  sent(): string
  /** Keeps back what the server answers, until `release`. */
  hold(): void
  release(): void
  /** Cuts every connection, without a goodbye. */
  cut(): void
  /** Sends whoever connects from now on to another server, as an address that fails over does. */
  switchTo(serverUrl: string): void
}

/** Opens a proxy in front of the server of a `postgres://` address. */
export async function openTcpProxy(serverUrl: string): Promise<TcpProxy> {
  let target = new URL(serverUrl)
  const sockets = new Set<Socket>()
  const outward = new Set<Socket>()
  let sent = ''
  let isHeld = false
  const server = createServer((inward) => {
    const out = connect({ host: target.hostname, port: Number(target.port) })
    for (const socket of [inward, out]) {
      sockets.add(socket)
      // A connection that a test has cut is lost on both sides.
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        outward.delete(socket)
        inward.destroy()
        out.destroy()
      })
    }
    outward.add(out)
    inward.on('data', (bytes) => {
      sent += bytes.toString('latin1')
      out.write(bytes)
    })
    out.on('data', (bytes) => inward.write(bytes))
    if (isHeld) out.pause()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    sent: () => sent,
    hold() {
      isHeld = true
      for (const socket of outward) socket.pause()
    },
    release() {
      isHeld = false
      for (const socket of outward) socket.resume()
    },
    cut,
    switchTo(otherUrl) {
      target = new URL(otherUrl)
    },
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A server that accepts connections and never says a word. */
export async function openSilentServer(): Promise<AsyncDisposable & { readonly port: number }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
