/**
 * SQL text as PostgreSQL's lexer cuts it, as far as is needed to tell code from what only looks like it: a `;`, a
 * `commit` or a `$1` may stand in a string, a quoted name or a comment.
 * https://www.postgresql.org/docs/18/sql-syntax-lexical.html
 */
type SqlPart = { readonly kind: 'code' | 'comment' | 'quoted'; readonly text: string }

const PART = new RegExp(
  [
    String.raw`(?<comment>--[^\n]*)`,
    String.raw`(?<block>\/\*)`,
    // With an E before it a string knows backslashes; an identifier that ends in e is none.
    String.raw`(?<escaped>(?<![\w$\u0080-\uffff])[eE]'(?:[^'\\]|\\[\s\S]|'')*'?)`,
    `(?<quoted>'(?:[^']|'')*'?|"(?:[^"]|"")*"?)`,
    String.raw`(?<dollar>(?<![\w$\u0080-\uffff])\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)`,
  ].join('|'),
  'g',
)

/** The text without its comments; a line break takes the place of each, as it may separate two words. */
export function withoutComments(text: string): string {
  return partsOf(text)
    .map((part) => (part.kind === 'comment' ? '\n' : part.text))
    .join('')
}

/** Only what is code: strings and quoted names are left empty, so that what stands in them is not taken for it. */
export function codeOf(text: string): string {
  return partsOf(text)
    .map(({ kind, text: part }) => (kind === 'comment' ? '\n' : kind === 'quoted' ? "''" : part))
    .join('')
}

function partsOf(text: string): SqlPart[] {
  const parts: SqlPart[] = []
  let from = 0
  while (from < text.length) {
    PART.lastIndex = from
    const found = PART.exec(text)
    if (found === null) break
    if (found.index > from) parts.push({ kind: 'code', text: text.slice(from, found.index) })
    from = endOf(text, found)
    const { comment, block } = found.groups ?? {}
    const kind = comment === undefined && block === undefined ? 'quoted' : 'comment'
    parts.push({ kind, text: text.slice(found.index, from) })
  }
  if (from < text.length) parts.push({ kind: 'code', text: text.slice(from) })
  return parts
}

function endOf(text: string, found: RegExpExecArray): number {
  const opened = found.index + found[0].length
  if (found.groups?.block !== undefined) return endOfBlock(text, opened)
  if (found.groups?.dollar === undefined) return opened
  const closed = text.indexOf(found[0], opened)
  return closed === -1 ? text.length : closed + found[0].length
}

/** Block comments nest. */
function endOfBlock(text: string, opened: number): number {
  let depth = 1
  for (const { 0: mark, index } of text.slice(opened).matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1
    if (depth === 0) return opened + index + mark.length
  }
  return text.length
}
