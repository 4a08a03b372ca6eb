import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What a reader of guarded pages has to bring. */
export type Credentials = { readonly user: string; readonly password: string }

/** A hook that lets in who brings the credentials by Basic authentication; everybody where there are none. */
export function guard(credentials: Credentials | null) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (mayEnter(credentials, request.headers.authorization)) return
    await reply
      .code(401)
      .header('www-authenticate', 'Basic realm="daymark", charset="UTF-8"')
      .send('user and password required\n')
  }
}

/** Whether an Authorization header holds the credentials. */
export function mayEnter(credentials: Credentials | null, authorization: string | undefined): boolean {
  if (credentials === null) return true
  const wanted = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')
  // Hashes have one length, which the comparison in constant time asks for.
  return timingSafeEqual(hash(`Basic ${wanted}`), hash(authorization ?? ''))
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
