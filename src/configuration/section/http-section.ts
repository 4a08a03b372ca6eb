import { z } from 'zod'
import { optionalSetting, setting } from '../setting.ts'

/** Where health and metrics are served. */
export const httpSection = z
  .strictObject({
    host: setting(z.string().min(1), '127.0.0.1', {
      shape: 'an address or a host name',
      meaning: 'The address to listen on. Beyond loopback a user and a password are required.',
      kind: 'text',
    }),
    port: setting(z.int().min(0).max(65_535), 9470, {
      shape: 'a port from 0 to 65535',
      meaning: 'The port to listen on; 0 takes a free one and says which.',
      kind: 'number',
      variables: ['PORT'],
    }),
    user: optionalSetting(z.string().min(1), {
      shape: 'a text',
      meaning:
        'The user that /metrics asks for. /livez and /readyz are open, because probes have no password.',
      kind: 'text',
      secret: true,
    }),
    password: optionalSetting(z.string().min(1), {
      shape: 'a text',
      meaning: 'The password of that user.',
      kind: 'text',
      secret: true,
    }),
  })
  .prefault({})
