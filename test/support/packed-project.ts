import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../../src/local/run-program.ts'
import { makeScratchDirectory } from './scratch-directory.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const BINARIES = join(ROOT, 'node_modules', '.bin')

/** An empty project that has the packed package as its one dependency, as a user would install it. */
export type PackedProject = Disposable & {
  readonly directory: string
  /** The packed package. */
  readonly tarball: string
  /** The command line as it was installed. */
  readonly cli: string
  write(file: string, text: string): void
}

export async function createPackedProject(): Promise<PackedProject> {
  using stack = new DisposableStack()
  const scratch = stack.use(makeScratchDirectory())
  await run(['npm', 'pack', '--silent', '--pack-destination', scratch.path], ROOT)
  const { stdout: version } = await run(['npm', 'pkg', 'get', 'version'], ROOT)
  const tarball = join(scratch.path, `daymark-${JSON.parse(version)}.tgz`)
  const directory = join(scratch.path, 'project')
  mkdirSync(directory)
  const write = (file: string, text: string): void => writeFileSync(join(directory, file), text)
  write('package.json', JSON.stringify({ name: 'project', private: true, type: 'module' }))
  await run(['npm', 'install', '--silent', '--no-audit', '--no-fund', tarball], directory)
  const held = stack.move()
  return {
    directory,
    tarball,
    cli: join(directory, 'node_modules', 'daymark', 'dist', 'cli.js'),
    write,
    [Symbol.dispose]: () => held.dispose(),
  }
}

/** The program of a version of Node, from the package `node`, kept below .daymark. */
export async function fetchNode(version: string): Promise<string> {
  const directory = join(ROOT, '.daymark', `node-${version}`)
  const program = join(directory, 'node_modules', 'node', 'bin', 'node')
  const complete = join(directory, 'complete')
  if (!existsSync(complete)) {
    mkdirSync(directory, { recursive: true })
    // Its install script links the binary of this platform into its place; npm may be told to run none.
    await run(
      ['npm', 'install', '--silent', '--no-save', '--prefix', directory, `node@${version}`],
      directory,
    )
    const { stdout } = await run([program, '--version'], directory)
    assert.equal(stdout.trim(), `v${version}`)
    writeFileSync(complete, '')
  }
  return program
}

async function run(command: readonly string[], cwd: string): Promise<{ readonly stdout: string }> {
  const ended = await runProgram(command, { cwd })
  assert.equal(ended.outcome, 'done', `${command.join(' ')}: ${ended.stdout}${ended.stderr}`)
  return ended
}
