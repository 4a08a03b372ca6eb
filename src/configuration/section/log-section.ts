import { z } from 'zod'
import { LOG_LEVELS } from '../../process/log.ts'
import { setting } from '../setting.ts'

/** What is said while working. */
export const logSection = z
  .strictObject({
    level: setting(z.enum(LOG_LEVELS), 'info', {
      shape: "'debug', 'info', 'warn', 'error' or 'silent'",
      meaning: 'The least important lines that are written. At debug there is one for every event.',
      kind: 'text',
      variables: ['LOG_LEVEL'],
    }),
  })
  .prefault({})
