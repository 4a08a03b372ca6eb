import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A file of the project, with two more readings of its text. Both keep every line where it was. */
export type SourceFile = {
  /** From the root of the project, with forward slashes: `src/calendar/period.ts`. */
  readonly path: string
  readonly text: string
  /** The text without its comments. */
  readonly statements: string
  /** The text without its comments, and without what strings and regular expressions say. */
  readonly code: string
  readonly strings: readonly { readonly content: string; readonly line: number }[]
}

/**
 * Comments, strings, templates (with one nested level) and regular expressions. A scanner of this size is enough for
 * the rules of a style; where a rule must hold whatever the text, the type checker or the linter has it.
 */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|\$\{(?:[^{}`]|\{[^{}]*\}|`(?:\\.|[^`\\])*`)*\}|[^`\\])*`|(?<=[(,=:[!&|?{};]\s*|return\s|\n\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//g

/** Reads a text as a file of the project. */
export function sourceFile(path: string, text: string): SourceFile {
  return {
    path,
    text,
    get statements() {
      return text.replaceAll(TOKEN, (token) => (/^\/[/*]/.test(token) ? blank(token) : token))
    },
    get code() {
      return text.replaceAll(TOKEN, (token) =>
        token.startsWith('`') ? keepExpressions(token) : blank(token),
      )
    },
    get strings() {
      return [...text.matchAll(TOKEN)]
        .filter(({ 0: token }) => /^['"`]/.test(token))
        .map(({ 0: token, index }) => ({ content: token.slice(1, -1), line: lineAt(text, index) }))
    },
  }
}

/** Reads the files among these entries of a folder, and below them, whose names end so, in the order of their paths. */
export function readSources(root: string, entries: readonly string[], ending: RegExp): SourceFile[] {
  return entries
    .flatMap((entry) => filesAt(join(root, entry)))
    .filter((file) => ending.test(file))
    .sort()
    .map((file) => sourceFile(relative(root, file).replaceAll('\\', '/'), readFileSync(file, 'utf8')))
}

function filesAt(path: string): string[] {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Which line, counted from 1, a place of a text is in. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

function blank(token: string): string {
  return token.replaceAll(/[^\n]/g, ' ')
}

function keepExpressions(template: string): string {
  let kept = ''
  let from = 0
  for (const { 0: expression, index } of template.matchAll(/\$\{[^}]*\}/g)) {
    kept += blank(template.slice(from, index)) + expression
    from = index + expression.length
  }
  return kept + blank(template.slice(from))
}
