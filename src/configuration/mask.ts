const MASK = '****'
const PASSWORD_PARAMETERS = ['password', 'sslpassword']

/** A secret as it may be shown: a connection string without its password, anything else not at all. */
export function mask(secret: unknown): string {
  if (typeof secret !== 'string' || !/^\w+:\/\//.test(secret)) return MASK
  if (!URL.canParse(secret)) return MASK
  const url = new URL(secret)
  if (url.password !== '') url.password = MASK
  for (const name of PASSWORD_PARAMETERS) {
    if (url.searchParams.has(name)) url.searchParams.set(name, MASK)
  }
  return url.href
}
