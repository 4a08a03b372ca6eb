const FOUND: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'the address is not one of this machine',
  ENOTFOUND: 'there is no such host',
}

/** The address for health and metrics could not be had. Ends with exit code 2. */
export class HttpListenError extends Error {
  override readonly name = 'HttpListenError'
  readonly code = 'HTTP_LISTEN'

  constructor(host: string, port: number, cause: unknown) {
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    super(
      `listening on ${host}:${port} for health and metrics: ${FOUND[code] ?? (code || String(cause))}. ` +
        'Set --http-port or DAYMARK_HTTP_PORT to another, or 0 for any that is free.',
      { cause },
    )
  }
}
