import type { FastifyInstance } from 'fastify'
import { askChecks, type Check, type Health } from './check.ts'
import { type Credentials, mayEnter } from './credentials.ts'

const ANSWER_WITHIN_MS = 2_000

/**
 * `/livez` and `/readyz`: 200 when every check is well, 503 when one is not. Both are open to probes, which have no
 * password; `?verbose`, which tells what was found, is for those who may read the metrics.
 */
export function serveHealth(
  server: FastifyInstance,
  parts: {
    readonly credentials: Credentials | null
    readonly liveness: () => readonly Check[]
    readonly readiness: () => readonly Check[]
    readonly isStopping: () => boolean
  },
): void {
  const stopping: Check = {
    name: 'running',
    ask: () => ({ ok: !parts.isStopping(), found: parts.isStopping() ? 'stopping' : 'running' }),
  }
  const routes = [
    { url: '/livez', checks: parts.liveness },
    { url: '/readyz', checks: () => [stopping, ...parts.readiness()] },
  ]
  for (const { url, checks } of routes) {
    server.get<{ Querystring: { verbose?: string } }>(url, async (request, reply) => {
      const health = await askChecks(checks(), ANSWER_WITHIN_MS)
      reply.code(health.ok ? 200 : 503).header('cache-control', 'no-store')
      const verbose =
        request.query.verbose !== undefined && mayEnter(parts.credentials, request.headers.authorization)
      return verbose ? reply.send(health) : reply.type('text/plain; charset=utf-8').send(sentenceOf(health))
    })
  }
}

function sentenceOf({ ok, checks }: Health): string {
  if (ok) return 'ok\n'
  const failing = checks.filter((check) => !check.ok).map((check) => check.name)
  return `not ok: ${failing.join(', ')}\n`
}
