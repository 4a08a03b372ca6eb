import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findForbiddenText } from './forbidden-text.ts'
import { FORBIDDEN_TEXTS } from './forbidden-texts.ts'
import { sourceFile } from './source-file.ts'

/** For each rule, lines that it must find and lines that it must leave alone. */
const EXAMPLES: Readonly<
  Record<string, { readonly found: readonly string[]; readonly fine: readonly string[] }>
> = {
  'the type any': {
    found: ['let a: any', 'const a = b as any', 'type A = Map<string, any>', 'let a: any[] = []'],
    fine: ['AbortSignal.any(signals)', '// any', "say('any')", 'const many = 1'],
  },
  enum: { found: ['enum A { B }', 'const enum A {'], fine: ["kind: 'enum A {'"] },
  'a default export': {
    found: ['export default run', 'export { a as default }'],
    fine: ['const a = b.default'],
  },
  'a function that does one thing And another': {
    found: ['function readAndWrite() {', 'async function dropAndTell()'],
    fine: ['function expand() {', 'function Android() {'],
  },
  'console, or a standard stream written to in passing': {
    found: ["console.log('a')", "process.stdout.write('a')"],
    fine: ['// console.log', 'openScreen(process.stdout)'],
  },
  'a test switch': {
    found: ["if (process.env.NODE_ENV === 'test') return", 'options.__test__delay', "env['NODE_ENV']"],
    fine: ['// no NODE_ENV here'],
  },
  'a sleep': {
    found: ['setTimeout(go, 5)', 'await setTimeout(5)', 'setInterval (go)'],
    fine: ["run('setTimeout(go)')"],
  },
  'an import of a sleep': {
    found: [
      "import { setTimeout as delay } from 'node:timers/promises'",
      "import {\n  setImmediate,\n  setInterval,\n} from 'timers'",
      "import * as timers from 'node:timers'",
    ],
    fine: [
      "import { eventually } from './eventually.ts'",
      "import { setImmediate } from 'node:timers/promises'",
    ],
  },
  'a test that is left out': {
    found: ["test.skip('a', run)", 't.todo()', "test('a', { skip: true }, run)", "describe.only('a', run)"],
    fine: ['rows.skip(1)', 'const only = 1'],
  },
}

for (const rule of FORBIDDEN_TEXTS) {
  test(`the rule against ${rule.what} finds what it is for, and nothing else`, () => {
    const examples = EXAMPLES[rule.what]
    assert.ok(examples, 'every rule has its examples')
    const findIn = (line: string) =>
      findForbiddenText([sourceFile(`${rule.within[0]}made-up.ts`, line)], rule)
    for (const line of examples.found) assert.equal(findIn(line).length, 1, line)
    for (const line of examples.fine) assert.deepEqual(findIn(line), [], line)
  })
}

test('a finding names the file and the line, and an exception is left alone', () => {
  const [rule] = FORBIDDEN_TEXTS
  assert.ok(rule)
  const file = sourceFile('src/a.ts', 'const a = 1\nlet b: any')
  assert.deepEqual(findForbiddenText([file], rule), ['src/a.ts, line 2: any'])
  assert.deepEqual(findForbiddenText([file], { ...rule, except: ['src/a.ts'] }), [])
  assert.deepEqual(findForbiddenText([sourceFile('elsewhere/a.ts', 'let b: any')], rule), [])
})
