/**
 * What a failure at the broker means. Decided by the protocol's error names, which kafkajs carries as `type`, on the
 * error itself or on its causes. https://kafka.apache.org/43/design/protocol/
 */
export type KafkaFailure =
  | 'not-ours'
  | 'unknown-topic'
  | 'no-leader'
  | 'unsupported-codec'
  | 'refused'
  | 'unreachable'
  | 'other'

const NOT_OURS = new Set(['REBALANCE_IN_PROGRESS', 'UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION'])
/** A partition has no leader at the moment, or another than was thought: so it is after a topic is made. */
const NO_LEADER = new Set(['LEADER_NOT_AVAILABLE', 'NOT_LEADER_FOR_PARTITION'])
const REFUSED = new Set([
  'SASL_AUTHENTICATION_FAILED',
  'TOPIC_AUTHORIZATION_FAILED',
  'GROUP_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
])

export function kafkaFailureOf(error: unknown): KafkaFailure {
  for (const { type, name } of chainOf(error)) {
    if (NOT_OURS.has(type)) return 'not-ours'
    if (type === 'UNKNOWN_TOPIC_OR_PARTITION') return 'unknown-topic'
    if (NO_LEADER.has(type)) return 'no-leader'
    if (REFUSED.has(type) || name === 'KafkaJSSASLAuthenticationError') return 'refused'
    if (name === 'KafkaJSNotImplemented') return 'unsupported-codec'
    if (UNREACHABLE.has(name)) return 'unreachable'
  }
  return 'other'
}

const UNREACHABLE = new Set([
  'KafkaJSConnectionError',
  'KafkaJSConnectionClosedError',
  'KafkaJSRequestTimeoutError',
  'KafkaJSBrokerNotFound',
  'KafkaJSNoBrokerAvailableError',
])

function* chainOf(error: unknown): Generator<{ type: string; name: string }> {
  let link = error
  // A chain of causes is short; the bound keeps one that closes on itself from going on for ever.
  for (let depth = 0; depth < 8 && link instanceof Error; depth++) {
    const { type, name, cause } = link as Error & { type?: unknown }
    yield { type: typeof type === 'string' ? type : '', name }
    link = cause
  }
}
