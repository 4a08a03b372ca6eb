import type { SourceFile } from './source-file.ts'

/** Statements that read or write rows, and those that make, change or drop what holds them. */
const STATEMENT =
  /^\s*(?:select\b[\s\S]*\bfrom\s|insert\s+into\s|update\s+\S+\s+(?:as\s+\S+\s+)?set\s|delete\s+from\s|merge\s+into\s|truncate\s|with\s+(?:recursive\s+)?\w+(?:\s*\([^)]*\))?\s+as\s|(?:create|alter|drop)\s+(?:table|schema|index|policy|function|view)\s)/i

/** A call that sends a statement; a setting that is local to the transaction belongs to the statement after it. */
const CALL = /\.query\s*(?:<[^()]*>)?\((?!'set local )/g

/** Finds files of `sql/` folders that hold not exactly one statement, or export no function of the file's name. */
export function checkSqlFiles(files: readonly SourceFile[]): string[] {
  return files.filter(isSqlFile).flatMap((file) => {
    const calls = [...file.statements.matchAll(CALL)].length
    const name = functionNameOf(file.path)
    const isNamed = new RegExp(`^export (?:async )?function ${name}\\b`, 'm').test(file.code)
    return [
      ...(calls === 1 ? [] : [`${file.path} sends ${calls} statements`]),
      ...(isNamed ? [] : [`${file.path} exports no function ${name}`]),
    ]
  })
}

/** Finds the text of statements outside `sql/` folders and the places in `except` (paths, or their beginnings). */
export function findStraySql(files: readonly SourceFile[], except: readonly string[]): string[] {
  return files
    .filter((file) => !isSqlFile(file) && !except.some((start) => file.path.startsWith(start)))
    .flatMap(({ path, strings }) =>
      strings
        .filter(({ content }) => STATEMENT.test(content))
        .map(({ content, line }) => `${path}, line ${line}: ${content.trim().slice(0, 40)}`),
    )
}

function isSqlFile({ path }: SourceFile): boolean {
  return /\/sql\/[^/]+\.ts$/.test(path)
}

function functionNameOf(path: string): string {
  const stem = path.replace(/^.*\//, '').replace(/\.ts$/, '')
  return stem.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}
