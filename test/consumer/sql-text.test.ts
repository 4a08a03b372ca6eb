import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { codeOf, withoutComments } from '../../src/consumer/sql-text.ts'

/** Texts, and what of them is code; a string or a quoted name is left as ''. */
const examples: Record<string, [string, string]> = {
  'a line comment': ["select 1 -- it's; $1\n, 2", 'select 1 \n\n, 2'],
  'a line comment at the very end': ['select 1 -- commit', 'select 1 \n'],
  'a block comment': ['select/* ; */1', 'select\n1'],
  'a block comment in another': ['select /* a /* b */ ; */ 1', 'select \n 1'],
  'a string': ["select 'a; -- b /* c' || x", "select '' || x"],
  'a string with a quote in it': ["select 'it''s; ' , y", "select '' , y"],
  'a string with a backslash, which is plain': ["select 'a\\' ; y", "select '' ; y"],
  'an escape string': ["select E'it\\'s; ' , y", "select '' , y"],
  'an escape string in lower case': ["select e'\\\\' ; y", "select '' ; y"],
  'a name that ends in e before a string': ["select date'2026-08-01' ; y", "select date'' ; y"],
  'a quoted name': ['select "a;""b--" from t', "select '' from t"],
  'a dollar string': ['select $$ ; -- $1 $$ ; y', "select '' ; y"],
  'a dollar string with a tag': ['select $a$ $$ ; $b$ $a$ ; y', "select '' ; y"],
  'a parameter, which opens no dollar string': ['select $1 ; select $2', 'select $1 ; select $2'],
  'a name with dollars': ['select a$b$ ; c$b$', 'select a$b$ ; c$b$'],
  'operators that are no comments': ['select 1 - - 1 / 2 * 3', 'select 1 - - 1 / 2 * 3'],
  'a string that never ends': ["select 'a; b", "select ''"],
  'a comment that never ends': ['select 1 /* a; b', 'select 1 \n'],
}

for (const [name, [text, code]] of Object.entries(examples)) {
  test(`code is told from ${name}`, () => assert.equal(codeOf(text), code))
}

test('strings are kept where only the comments are left out', () => {
  assert.equal(withoutComments("select '-- a' /* b */ || $$/*c*/$$ -- d"), "select '-- a' \n || $$/*c*/$$ \n")
})

test('any text is taken apart without loss', () => {
  const pieces = fc.constantFrom(
    "'",
    '"',
    '$$',
    '$a$',
    '--',
    '/*',
    '*/',
    '\n',
    ';',
    ' ',
    'e',
    'x',
    '\\',
    '$1',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (found) => {
      const text = found.join('')
      assert.ok(withoutComments(text).replaceAll('\n', '').length <= text.length)
      if (!/--|\/\*/.test(text)) assert.equal(withoutComments(text), text)
    }),
    { numRuns: 2_000 },
  )
})
