import { listSettings, type Setting } from './list-settings.ts'

const HEAD = `# Configuration

Made from the settings themselves by \`npm run docs\`; a test compares.

A value comes from a flag, else from the environment, else from \`daymark.config.json\` (or the file that \`--config\`
names), else it is the default. All complaints come at once; unknown keys are errors. \`daymark config print\` shows every
setting with its value and where that came from, \`daymark config schema\` the JSON Schema of the file.

The variable of a setting follows from its path: \`consumer.batchRows\` is \`DAYMARK_CONSUMER_BATCH_ROWS\`. Names that people
know already come first. A secret has no place in the file; it is also read from the file that \`NAME_FILE\` names.
Durations are written with their unit: \`7 days\`, \`15 minutes\`.
`

/** docs/configuration.md: a table per section, a row per setting. */
export function configurationPage(): string {
  const sections = Map.groupBy(listSettings(), ({ path }) => path.split('.')[0] ?? '')
  return [HEAD, ...[...sections].map(([name, settings]) => sectionText(name, settings))].join('\n')
}

function sectionText(name: string, settings: readonly Setting[]): string {
  const rows = settings.map((setting) => `| ${cellsOf(setting).map(escaped).join(' | ')} |`)
  return [
    `## ${name}`,
    '',
    '| setting | meaning | takes | default | variables |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

function cellsOf({ path, meaning, shape, fallback, variables, secret }: Setting): string[] {
  const names = secret === true ? variables.flatMap((name) => [name, `${name}_FILE`]) : variables
  return [
    `\`${path}\`${secret === true ? ' (secret)' : ''}`,
    meaning,
    shape,
    fallback === undefined ? '' : `\`${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}\``,
    names.map((variable) => `\`${variable}\``).join(', '),
  ]
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|')
}
