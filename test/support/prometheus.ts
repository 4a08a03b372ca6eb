import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../src/local/free-port.ts'
import { startServerProcess } from '../../src/local/server-process.ts'
import { makeScratchDirectory } from './scratch-directory.ts'

/** A series with its present value. */
export type Series = {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** A Prometheus of one test, that scrapes twice a second and looks at its rules as often. */
export type Prometheus = AsyncDisposable & {
  /** What an expression gives now. Throws where Prometheus refuses it. */
  query(expression: string): Promise<Series[]>
  /** The alarms that fire now, by name, each once. */
  firing(): Promise<string[]>
  /** Everything that was scraped of daymark last. */
  scraped(): Promise<Series[]>
}

/** Starts Debian's Prometheus. `targets` are `host:port`, `rules` the text of a rule file. */
export async function startPrometheus(targets: readonly string[], rules: string): Promise<Prometheus> {
  const scratch = makeScratchDirectory()
  const port = await freePort()
  const file = join(scratch.path, 'prometheus.yaml')
  mkdirSync(join(scratch.path, 'data'))
  writeFileSync(join(scratch.path, 'rules.yaml'), rules)
  writeFileSync(file, configuration(targets))
  const address = `127.0.0.1:${port}`
  const server = await startServerProcess({
    name: 'Prometheus',
    command: [
      'prometheus',
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(scratch.path, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    directory: scratch.path,
    logFile: join(scratch.path, 'prometheus.log'),
    deathSignal: 'KILL',
    ready: () =>
      fetch(`http://${address}/-/ready`).then(
        ({ ok }) => ok,
        // Not yet; the starter gives up when its time is over.
        () => false,
      ),
    readyTimeoutMs: 20_000,
  })
  const query = (expression: string): Promise<Series[]> => ask(address, expression)
  return {
    query,
    async firing() {
      const alarms = await query('ALERTS{alertstate="firing"}')
      return [...new Set(alarms.map(({ labels }) => labels.alertname ?? ''))].sort()
    },
    scraped: () => query('{job="daymark",__name__!~"nodejs_.*|process_.*|scrape_.*|ALERTS.*"}'),
    async [Symbol.asyncDispose]() {
      await server.stop('SIGTERM', 5_000)
      scratch[Symbol.dispose]()
    },
  }
}

function configuration(targets: readonly string[]): string {
  return `
global: { scrape_interval: 500ms, scrape_timeout: 500ms, evaluation_interval: 500ms }
rule_files: [rules.yaml]
scrape_configs:
  - job_name: daymark
    static_configs: [{ targets: [${targets.map((target) => `"${target}"`).join(', ')}] }]
`
}

type Answer = {
  readonly error?: string
  readonly data?: {
    readonly resultType: 'vector' | 'scalar'
    readonly result:
      | readonly { readonly metric: Record<string, string>; readonly value: readonly [number, string] }[]
      | readonly [number, string]
  }
}

async function ask(address: string, expression: string): Promise<Series[]> {
  const response = await fetch(`http://${address}/api/v1/query`, {
    method: 'POST',
    body: new URLSearchParams({ query: expression }),
  })
  const { data, error } = (await response.json()) as Answer
  if (data === undefined) throw new Error(`asking Prometheus for ${expression}: ${error}`)
  if (data.resultType === 'scalar') return [{ name: '', labels: {}, value: Number(data.result[1]) }]
  const series = data.result as Exclude<typeof data.result, readonly [number, string]>
  return series.map(({ metric: { __name__: name = '', ...labels }, value }) => ({
    name,
    labels,
    value: Number(value[1].replace('Inf', 'Infinity')),
  }))
}
