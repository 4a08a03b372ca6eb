import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineHandler, type Handler } from './handler.ts'
import { ConsumerStartError } from './start-error.ts'

/** Loads a handler: a `.sql` file with one statement, or a module that exports `handler`. */
export async function loadHandler(path: string): Promise<Handler> {
  const file = resolve(path)
  return extname(file) === '.sql' ? loadStatement(file) : loadModule(file)
}

async function loadStatement(file: string): Promise<Handler> {
  try {
    return { kind: 'sql', text: await readFile(file, 'utf8') }
  } catch (cause) {
    throw new ConsumerStartError(`reading the effect statement ${file}: ${(cause as Error).message}`, {
      cause,
    })
  }
}

async function loadModule(file: string): Promise<Handler> {
  let module: { handler?: unknown; default?: unknown }
  try {
    module = await import(pathToFileURL(file).href)
  } catch (cause) {
    throw new ConsumerStartError(`loading the handler ${file}: ${(cause as Error).message}`, { cause })
  }
  const exported = module.handler ?? module.default
  if (isHandler(exported)) return exported
  try {
    return defineHandler(exported as Parameters<typeof defineHandler>[0])
  } catch (cause) {
    throw new ConsumerStartError(
      `loading the handler ${file}: ${(cause as Error).message}. Write \`export const handler = defineHandler({ … })\`.`,
      { cause },
    )
  }
}

/** What is one already: `defineHandler` has made it, or it is a statement written in a module. */
function isHandler(exported: unknown): exported is Handler {
  const found = (exported ?? {}) as Partial<Record<'kind' | 'apply' | 'applyEach' | 'text', unknown>>
  if (found.kind === 'sql') return typeof found.text === 'string'
  if (found.kind === 'batch') return typeof found.apply === 'function'
  return found.kind === 'each' && typeof found.applyEach === 'function'
}
