import { posix } from 'node:path'
import type { SourceFile } from './source-file.ts'

export type Import = {
  readonly specifier: string
  /** The file of the project that is meant; null for an outer library. */
  readonly target: string | null
  /** Gone when the file runs. */
  readonly isType: boolean
  readonly isReExport: boolean
}

const IMPORT =
  /^import\s+(?<type>type\s)?[\w*{},$\s]+?\sfrom\s+'(?<named>[^']+)'|^import\s+'(?<bare>[^']+)'|^export\s+(?<typeAgain>type\s)?(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?)\s+from\s+'(?<again>[^']+)'|\bimport\(\s*'(?<late>[^']+)'\s*\)/gm

/** What a file imports: statically, for its types, for its effects, by re-exporting and by `import()`. */
export function importsOf(file: SourceFile): Import[] {
  return [...file.statements.matchAll(IMPORT)].map(({ groups = {} }) => {
    const specifier = groups.named ?? groups.bare ?? groups.again ?? groups.late ?? ''
    return {
      specifier,
      target: specifier.startsWith('.') ? posix.join(posix.dirname(file.path), specifier) : null,
      isType: groups.type !== undefined || groups.typeAgain !== undefined,
      isReExport: groups.again !== undefined,
    }
  })
}

/** `@scope/name/file` and `name/file` without the file; `node:fs/promises` as it stands. */
export function libraryOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
