import { lineAt, type SourceFile } from './source-file.ts'

/** Something that must not be written, and where. */
export type Unwanted = {
  readonly pattern: RegExp
  /** Which reading of the file is searched. */
  readonly reading: 'text' | 'statements' | 'code'
  /** Beginnings of paths. */
  readonly within: readonly string[]
  readonly except?: readonly string[]
}

/** A rule with what it forbids in words, and the reason that a reader of the failing test is given. */
export type ForbiddenText = Unwanted & { readonly what: string; readonly reason: string }

/** Finds it, with the line. */
export function findForbiddenText(files: readonly SourceFile[], unwanted: Unwanted): string[] {
  const pattern = new RegExp(
    unwanted.pattern,
    unwanted.pattern.flags.includes('g') ? undefined : `${unwanted.pattern.flags}g`,
  )
  return files
    .filter(
      ({ path }) =>
        unwanted.within.some((start) => path.startsWith(start)) && !unwanted.except?.includes(path),
    )
    .flatMap((file) =>
      [...file[unwanted.reading].matchAll(pattern)].map(
        ({ 0: found, index }) =>
          `${file.path}, line ${lineAt(file[unwanted.reading], index)}: ${found.trim()}`,
      ),
    )
}
