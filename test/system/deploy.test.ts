import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { runProgram } from '../../src/local/run-program.ts'
import { runDaymark } from '../support/daymark-process.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DEPLOY = join(ROOT, 'deploy')
/** `consumer.shutdownTimeout` by default, and what closing may take beyond it. */
const STOP_SECONDS = 25

type Container = {
  readonly args: readonly string[]
  readonly livenessProbe?: { readonly httpGet: { readonly path: string; readonly port: string } }
  readonly readinessProbe?: { readonly httpGet: { readonly path: string; readonly port: string } }
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
}
type Manifest = {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly data?: Record<string, string>
  readonly spec?: {
    readonly template?: {
      readonly spec: {
        readonly terminationGracePeriodSeconds?: number
        readonly containers: readonly Container[]
      }
    }
  }
}

function readYaml<Document>(file: string): Document[] {
  return parseAllDocuments(readFileSync(join(DEPLOY, file), 'utf8'), { merge: true }).map((document) => {
    assert.deepEqual(document.errors, [])
    return document.toJS() as Document
  })
}

/** Takes the variables as a start would: an unknown one, or a value of the wrong shape, ends with 2. */
async function assertAccepted(variables: Readonly<Record<string, string>>): Promise<void> {
  const { exitCode, stderr } = await runDaymark(['config', 'print'], variables)
  assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' })
}

test('the variables of the compose file and of the manifests are ones that a start takes', async () => {
  const [compose] = readYaml<{ services: Record<string, { environment: Record<string, string> }> }>(
    'docker/compose.yaml',
  )
  await assertAccepted(compose?.services.daymark?.environment ?? {})
  assert.deepEqual(compose?.services.migrate?.environment, compose?.services.daymark?.environment)
  const manifests = readYaml<Manifest>('kubernetes/daymark.yaml')
  const variables = manifests.find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'daymark',
  )
  const secret = {
    DATABASE_URL: 'postgres://a:b@c:5432/d',
    DAYMARK_HTTP_USER: 'u',
    DAYMARK_HTTP_PASSWORD: 'p',
  }
  await assertAccepted({ ...variables?.data, ...secret })
})

test('the manifests ask for the probes where they are served, and give a stop its time', () => {
  const deployments = readYaml<Manifest>('kubernetes/daymark.yaml').filter(
    ({ kind }) => kind === 'Deployment',
  )
  assert.equal(deployments.length, 2)
  for (const { spec } of deployments) {
    const pod = spec?.template?.spec
    const [container] = pod?.containers ?? []
    assert.deepEqual(container?.livenessProbe?.httpGet, { path: '/livez', port: 'http' })
    assert.deepEqual(container?.readinessProbe?.httpGet, { path: '/readyz', port: 'http' })
    assert.deepEqual(container?.ports, [{ name: 'http', containerPort: 9470 }])
    assert.ok((pod?.terminationGracePeriodSeconds ?? 0) > STOP_SECONDS)
  }
})

test('systemd takes the unit', async () => {
  using scratch = makeScratchDirectory()
  const unit = readFileSync(join(DEPLOY, 'systemd', 'daymark.service'), 'utf8')
  const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])
  assert.ok(seconds > STOP_SECONDS)
  // The program has to be there, and this machine has it elsewhere.
  const file = join(scratch.path, 'daymark.service')
  writeFileSync(file, unit.replace('/usr/bin/node', process.execPath))
  const { outcome, stdout, stderr } = await runProgram(['systemd-analyze', '--man=no', 'verify', file])
  const complaints = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('daymark.service'))
  assert.deepEqual({ outcome, complaints }, { outcome: 'done', complaints: [] })
})

test('what the Dockerfile copies, and no more, builds and runs', async () => {
  using scratch = makeScratchDirectory()
  const dockerfile = readFileSync(join(DEPLOY, 'docker', 'Dockerfile'), 'utf8')
  const build = join(scratch.path, 'build')
  mkdirSync(build)
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) =>
    files.split(' '),
  )
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
  for (const file of copied) {
    assert.ok(ignored.includes(`!${file}`), `.dockerignore leaves out ${file}`)
    cpSync(join(ROOT, file), join(build, file), { recursive: true })
  }
  for (const [, command = ''] of dockerfile.matchAll(/^RUN (.+)$/gm)) {
    const { outcome, stdout, stderr } = await runProgram(['sh', '-c', command], { cwd: build })
    assert.equal(outcome, 'done', `${command}: ${stdout}${stderr}`)
  }
  assert.ok(!readdirSync(join(build, 'node_modules')).includes('typescript'))
  const { outcome, stdout } = await runProgram([process.execPath, join(build, 'dist', 'cli.js'), 'version'])
  assert.deepEqual({ outcome, version: stdout }, { outcome: 'done', version: '0.1.0\n' })
})
