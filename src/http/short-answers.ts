import type { FastifyInstance } from 'fastify'

/** More than any link of ours needs. */
const MAX_URL_LENGTH = 2_048

/** Answers in a line what is not served: unknown paths, other methods, endless queries. Nothing of a request is echoed. */
export function serveShortAnswers(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    if (request.url.length > MAX_URL_LENGTH)
      return reply.code(414).type(TEXT).send('the address is too long\n')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return reply
        .code(405)
        .header('allow', 'GET, HEAD')
        .type(TEXT)
        .send('only GET and HEAD are served here\n')
    }
  })
  server.setNotFoundHandler(async (_request, reply) =>
    reply
      .code(404)
      .type(TEXT)
      .send('not found: there are /, /api/v1/state, /api/v1/plan, /metrics, /livez and /readyz\n'),
  )
  server.setErrorHandler(async (error, _request, reply) => {
    const { statusCode } = error as { readonly statusCode?: number }
    const isTheirs = statusCode !== undefined && statusCode >= 400 && statusCode < 500
    return reply
      .code(isTheirs ? statusCode : 500)
      .type(TEXT)
      .send(isTheirs ? 'the request could not be read\n' : 'failed\n')
  })
}

const TEXT = 'text/plain; charset=utf-8'
