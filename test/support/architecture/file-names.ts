/** Finds names that are not kebab-case, and names that say nothing of the idea inside. */
export function checkFileNames(paths: readonly string[], forbidden: readonly string[]): string[] {
  return paths.flatMap((path) =>
    path.split('/').flatMap((part, index, parts) => {
      const isFile = index === parts.length - 1
      const stem = isFile ? part.replace(/(?:\.(?:test|d))?\.ts$/, '') : part
      // A folder of the project whose name is its owner's convention: .ci, .github.
      const name = isFile ? stem : stem.replace(/^\./, '')
      if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) return [`${path}: "${part}" is not kebab-case`]
      return forbidden.includes(name) ? [`${path}: "${part}" is a drawer, not an idea`] : []
    }),
  )
}
