import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Credentials, guard } from './credentials.ts'
import { type Found, type Keeping, keepAnswer } from './kept-answer.ts'
import type { PageSource } from './page-source.ts'

const KEEPING: Keeping = { freshMs: 2_000, patienceMs: 2_500, nowMs: Date.now }

/**
 * `/api/v1/…`: what the page shows, for programs too. `Age` tells how old an answer is, `X-Daymark-Complaint` why it
 * could not be renewed; 503 where there never was one.
 */
export function serveApi(
  server: FastifyInstance,
  source: PageSource,
  credentials: Credentials | null,
  keeping: Keeping = KEEPING,
): void {
  const answers = {
    '/api/v1/state': source.readState,
    '/api/v1/plan': source.readPlans,
    '/api/v1/settings': source.readSettings,
    '/api/v1/rates': source.readRates,
  }
  for (const [url, read] of Object.entries(answers)) {
    const ask = keepAnswer(read, keeping)
    server.get(url, { onRequest: guard(credentials) }, async (request, reply) =>
      send(request, reply, await ask(), keeping.nowMs()),
    )
  }
}

function send(request: FastifyRequest, reply: FastifyReply, { kept, complaint }: Found, nowMs: number) {
  // Revalidated each time: what is shown as of now must not be what a browser kept.
  reply.header('cache-control', 'private, no-cache').type('application/json; charset=utf-8')
  // A header takes ASCII only, and a message may quote anything.
  if (complaint !== null) reply.header('x-daymark-complaint', encodeURIComponent(complaint.slice(0, 500)))
  if (kept === null) return reply.code(503).send(JSON.stringify({ schemaVersion: 1, complaint }))
  reply
    .header('etag', kept.etag)
    .header('age', String(Math.max(0, Math.round((nowMs - kept.readAtMs) / 1000))))
  if (request.headers['if-none-match'] === kept.etag) return reply.code(304).send()
  return reply.send(kept.body)
}
