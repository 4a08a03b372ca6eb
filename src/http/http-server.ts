import fastify, { type FastifyInstance } from 'fastify'
import { serveApi } from './api-routes.ts'
import type { Check } from './check.ts'
import { type Credentials, guard } from './credentials.ts'
import { serveHealth } from './health-routes.ts'
import { HttpListenError } from './http-listen-error.ts'
import type { Metrics } from './metrics.ts'
import { servePage } from './page-routes.ts'
import type { PageSource } from './page-source.ts'
import { serveShortAnswers } from './short-answers.ts'

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
  /** What the page at `/` shows; without it there is no page. */
  readonly page?: PageSource
}

/** Listens for probes and scrapes. Throws {@link HttpListenError} where the address cannot be had. */
export async function startHttpServer(parts: HttpServerParts): Promise<HttpServer> {
  const server = fastify({ forceCloseConnections: true })
  let unready = false
  serveShortAnswers(server)
  serveHealth(server, { ...parts, isStopping: () => unready })
  serveMetrics(server, parts)
  if (parts.page !== undefined) {
    serveApi(server, parts.page, parts.credentials)
    servePage(server, parts.credentials)
  }
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
