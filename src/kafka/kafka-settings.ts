/** How to reach Kafka. */
export type KafkaSettings = {
  /** `host:port` of one broker or more. */
  readonly brokers: readonly string[]
  readonly clientId: string
  readonly tls?: { readonly ca?: string | undefined } | undefined
  readonly sasl?:
    | {
        readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
        readonly username: string
        readonly password: string
      }
    | undefined
}
