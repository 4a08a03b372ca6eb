import type { SourceFile } from './source-file.ts'

/** Finds files of more than `most` lines. */
export function checkFileLength(files: readonly SourceFile[], most: number): string[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
    return lines > most ? [`${path} has ${lines} lines`] : []
  })
}
