import { writeFileSync } from 'node:fs'
import { configurationPage } from '../src/configuration/configuration-page.ts'

writeFileSync(new URL('configuration.md', import.meta.url), configurationPage())
