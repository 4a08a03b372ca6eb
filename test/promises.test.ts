import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const ROOT = new URL('../', import.meta.url)

function pageOf(name: string): string {
  return readFileSync(new URL(`docs/${name}.md`, ROOT), 'utf8')
}

function promiseFiles(): string[] {
  return readdirSync(new URL('test/guarantees/', ROOT))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => name.slice(0, -'.test.ts'.length))
    .sort()
}

test('every promise has its file, and every file its promise', () => {
  const headings = [...pageOf('guarantees').matchAll(/^## ([a-z0-9-]+)$/gm)].map(
    ([, heading = '']) => heading,
  )
  assert.deepEqual(promiseFiles(), headings.sort())
})

test('every scenario of docs/uniqueness.md names tests that exist', () => {
  const rows = [...pageOf('uniqueness').matchAll(/^\| .+ \| ([^|]+) \|$/gm)]
  const named = rows.flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z0-9-]+)`/g)].map(([, name = '']) => name),
  )
  assert.ok(named.length > 10)
  for (const name of named) assert.ok(promiseFiles().includes(name), name)
})

test('every link between the pages leads to a file', () => {
  for (const page of [
    '../README',
    '../CONTRIBUTING',
    'guarantees',
    'uniqueness',
    'design',
    'operations',
    'configuration',
  ]) {
    const base = new URL(`docs/${page}.md`, ROOT)
    const links = [...readFileSync(base, 'utf8').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(
      ([, link = '']) => link,
    )
    for (const link of links)
      assert.doesNotThrow(() => readdirOrRead(new URL(link, base)), `${page}: ${link}`)
  }
})

function readdirOrRead(url: URL): void {
  try {
    readFileSync(url)
  } catch {
    // A link to a folder is right too.
    readdirSync(url)
  }
}
