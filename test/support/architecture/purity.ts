import { importsOf, libraryOf } from './imports.ts'
import { lineAt, type SourceFile } from './source-file.ts'

/** What asks the clock, chance, the environment or the world. */
const REACHES_OUT =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bDateTime\.(?:now|local)\b|\bMath\.random\b|\b(?:process|performance|crypto|console)\s*\.|\brandom(?:UUID|Bytes|Int)\b|\bset(?:Timeout|Interval|Immediate)\b|\bfetch\(/g

/**
 * Finds what makes a file impure: in itself, or in anything that runs when it is imported. `libraries` are the outer
 * ones that only compute. A path in the list that is no file any more is found too.
 */
export function checkPurity(
  files: readonly SourceFile[],
  pure: readonly string[],
  libraries: readonly string[],
): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  return pure.flatMap((path) => {
    if (!byPath.has(path)) return [`${path} is in the list of pure files, but is no file`]
    return reachedFrom(path, byPath).flatMap((file) => {
      const via = file.path === path ? file.path : `${path}, by way of ${file.path}`
      const outside = importsOf(file)
        .filter(
          ({ isType, target, specifier }) =>
            !isType && target === null && !libraries.includes(libraryOf(specifier)),
        )
        .map(({ specifier }) => `${via} imports ${specifier}`)
      const calls = [...file.code.matchAll(REACHES_OUT)].map(
        ({ 0: call, index }) => `${via}, line ${lineAt(file.code, index)}: ${call.trim()}`,
      )
      return [...outside, ...calls]
    })
  })
}

/** The file and all that it runs, directly or through others. */
function reachedFrom(path: string, byPath: ReadonlyMap<string, SourceFile>): SourceFile[] {
  const reached = new Map<string, SourceFile>()
  const pending = [path]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const file = byPath.get(next)
    if (file === undefined || reached.has(next)) continue
    reached.set(next, file)
    for (const { isType, target } of importsOf(file)) if (!isType && target !== null) pending.push(target)
  }
  return [...reached.values()]
}
