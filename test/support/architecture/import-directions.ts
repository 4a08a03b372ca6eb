import { importsOf } from './imports.ts'
import type { SourceFile } from './source-file.ts'

/** For each part of `src`, a folder or a file directly in it, the other parts that it may import. */
export type Directions = Readonly<Record<string, readonly string[]>>

/** Finds imports that go up, sideways or out of `src`, and parts for which no direction is written down. */
export function checkDirections(files: readonly SourceFile[], directions: Directions): string[] {
  return files.flatMap((file) => {
    const from = partOf(file.path)
    const allowed = directions[from]
    if (allowed === undefined) return [`${file.path}: ${from} is not in the table of directions`]
    return importsOf(file).flatMap(({ target }) => {
      if (target === null) return []
      if (!target.startsWith('src/'))
        return [`${file.path} imports ${target}, which is not part of the program`]
      const to = partOf(target)
      return to === from || allowed.includes(to)
        ? []
        : [`${file.path} imports ${target}: ${from} may not know ${to}`]
    })
  })
}

function partOf(path: string): string {
  return path.split('/')[1] ?? path
}
