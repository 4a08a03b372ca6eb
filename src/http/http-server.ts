import fastify, { type FastifyInstance } from 'fastify'
import type { Check } from './check.ts'
import { type Credentials, guard } from './credentials.ts'
import { serveHealth } from './health-routes.ts'
import { HttpListenError } from './http-listen-error.ts'
import type { Metrics } from './metrics.ts'

/** What is served while a long-running command works. */
export type HttpServer = AsyncDisposable & {
  /** `http://127.0.0.1:9470` */
  readonly address: string
  /** From now on /readyz answers 503: the first thing at a stop. */
  turnUnready(): void
}

export type HttpServerParts = {
  readonly host: string
  readonly port: number
  readonly credentials: Credentials | null
  /** Asked by /livez: they call neither the database nor the broker. */
  readonly liveness: () => readonly Check[]
  /** Asked by /readyz. */
  readonly readiness: () => readonly Check[]
  readonly metrics: Metrics
}

/** Listens for probes and scrapes. Throws {@link HttpListenError} where the address cannot be had. */
export async function startHttpServer(parts: HttpServerParts): Promise<HttpServer> {
  const server = fastify({ forceCloseConnections: true })
  let unready = false
  serveHealth(server, { ...parts, isStopping: () => unready })
  serveMetrics(server, parts)
  try {
    const address = await server.listen({ host: parts.host, port: parts.port })
    return {
      address,
      turnUnready: () => {
        unready = true
      },
      [Symbol.asyncDispose]: () => server.close(),
    }
  } catch (error) {
    await server.close()
    throw new HttpListenError(parts.host, parts.port, error)
  }
}

function serveMetrics(server: FastifyInstance, { metrics, credentials }: HttpServerParts): void {
  server.get('/metrics', { onRequest: guard(credentials) }, async (_request, reply) => {
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}
