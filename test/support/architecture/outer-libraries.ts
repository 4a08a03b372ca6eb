import { importsOf, libraryOf } from './imports.ts'
import type { SourceFile } from './source-file.ts'

/** For each outer library its only importers: a file, or a folder with a slash at its end. */
export type Importers = Readonly<Record<string, string>>

/** Finds libraries that are imported outside their one place, or that have no place. Node's own are everybody's. */
export function checkOuterLibraries(files: readonly SourceFile[], importers: Importers): string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter(({ target, specifier }) => target === null && !specifier.startsWith('node:'))
      .map(({ specifier }) => libraryOf(specifier))
      .flatMap((library) => {
        const place = importers[library]
        if (place === undefined) return [`${file.path} imports ${library}, which has no importer in the list`]
        const isThere = place.endsWith('/') ? file.path.startsWith(place) : file.path === place
        return isThere ? [] : [`${file.path} imports ${library}: only ${place} may`]
      }),
  )
}
