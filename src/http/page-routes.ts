import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Credentials, guard } from './credentials.ts'

const FOLDER = new URL('page/', import.meta.url)

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Nothing from elsewhere, nothing inline, in nobody's frame. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-cache',
}

/** `/` and the files of the page, read once at start: no path of a request ever reaches the file system. */
export function servePage(server: FastifyInstance, credentials: Credentials | null): void {
  for (const name of readdirSync(FOLDER)) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    const text = readFileSync(new URL(name, FOLDER), 'utf8')
    const url = name === 'index.html' ? '/' : `/page/${name}`
    server.get(url, { onRequest: guard(credentials) }, async (_request, reply) =>
      reply.headers(HEADERS).type(type).send(text),
    )
  }
}
