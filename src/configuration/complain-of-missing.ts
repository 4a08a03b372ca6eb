import { isLoopback } from '../process/loopback.ts'
import { missingComplaint } from './complaint.ts'
import type { Need } from './configuration.ts'
import type { Found } from './gather.ts'
import type { Setting } from './list-settings.ts'

/** Complains of settings that are needed and absent, and of those that only make sense together. */
export function complainOfMissing(
  settings: readonly Setting[],
  found: ReadonlyMap<string, Found>,
  needs: readonly Need[],
): string[] {
  const complaints: string[] = []
  const need = (path: string, why: string): void => {
    const setting = settings.find((candidate) => candidate.path === path)
    if (setting !== undefined && !found.has(path)) complaints.push(missingComplaint(setting, why))
  }
  const needTogether = (one: string, other: string, why: string): void => {
    if (found.has(one)) need(other, why)
    if (found.has(other)) need(one, why)
  }

  if (needs.includes('kafka')) need('kafka.brokers', 'this command reads from Kafka')
  if (
    needs.includes('replay-horizon') &&
    (found.get('maintenance.retention')?.value ?? 'from-topics') === 'from-topics'
  ) {
    need(
      'kafka.brokers',
      "the retention comes from the topics' own; maintenance.retention gives it otherwise",
    )
  }
  if (needs.includes('replay-horizon') && hasTableByTopics(found.get('tables')?.value)) {
    need('kafka.brokers', "the retention of one of the tables comes from its topics'")
  }
  if (needs.includes('consumer')) {
    need('consumer.group', 'this command consumes')
    need('consumer.topics', 'this command consumes')
    need('consumer.handler', 'this command consumes')
  }
  needTogether('kafka.sasl.username', 'kafka.sasl.password', 'SASL takes a user and a password')
  needTogether('http.user', 'http.password', '/metrics is guarded by both or by none')
  if (found.has('kafka.tls.caFile')) need('kafka.tls.enabled', 'kafka.tls.caFile counts only with it')
  const host = found.get('http.host')?.value
  if (needs.includes('http') && typeof host === 'string' && !isLoopback(host)) {
    need('http.user', `http.host is '${host}', which others can reach`)
    need('http.password', `http.host is '${host}', which others can reach`)
  }
  return [...new Set(complaints)]
}

/** Looks at what stands in the file, before anybody has judged it. */
function hasTableByTopics(tables: unknown): boolean {
  if (!Array.isArray(tables)) return false
  return tables.some((table) => (table?.retention ?? 'from-topics') === 'from-topics')
}
