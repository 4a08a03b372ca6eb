import { z } from 'zod'
import { optionalSetting, setting } from '../setting.ts'

/** How to reach Kafka. */
export const kafkaSection = z
  .strictObject({
    brokers: optionalSetting(
      z.array(z.string().regex(/^[^\s,:]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/)).min(1),
      {
        shape: "brokers with their ports, such as 'kafka-1:9092,kafka-2:9092'",
        meaning: 'One broker or more; the others are found through it.',
        kind: 'list',
        variables: ['KAFKA_BROKERS', 'KAFKA_BOOTSTRAP_SERVERS'],
      },
    ),
    clientId: setting(z.string().min(1), 'daymark', {
      shape: 'a text',
      meaning: "What the brokers' logs and quotas know this program by.",
      kind: 'text',
      variables: ['KAFKA_CLIENT_ID'],
    }),
    tls: z
      .strictObject({
        enabled: setting(z.boolean(), false, {
          shape: 'true or false',
          meaning: 'Whether connections are encrypted.',
          kind: 'switch',
          variables: ['KAFKA_TLS_ENABLED'],
        }),
        caFile: optionalSetting(z.string().min(1), {
          shape: 'the path of a file in PEM format',
          meaning: "The certificate authority to trust, where it is not one of the system's.",
          kind: 'text',
          variables: ['KAFKA_TLS_CAFILEPATH'],
        }),
      })
      .prefault({}),
    sasl: z
      .strictObject({
        mechanism: setting(
          z
            .string()
            .toLowerCase()
            .pipe(z.enum(['plain', 'scram-sha-256', 'scram-sha-512'])),
          'plain',
          {
            shape: "'plain', 'scram-sha-256' or 'scram-sha-512'",
            meaning: 'How the user is proven. Used where there is a user name.',
            kind: 'text',
            variables: ['KAFKA_SASL_MECHANISM'],
          },
        ),
        username: optionalSetting(z.string().min(1), {
          shape: 'a text',
          meaning: 'The user to authenticate as.',
          kind: 'text',
          variables: ['KAFKA_SASL_USERNAME'],
        }),
        password: optionalSetting(z.string().min(1), {
          shape: 'a text',
          meaning: 'The password of that user.',
          kind: 'text',
          variables: ['KAFKA_SASL_PASSWORD'],
          secret: true,
        }),
      })
      .prefault({}),
    consumer: consumerOptions(),
  })
  .prefault({})

/**
 * Options of a Kafka consumer that decide when an offset counts as done. They are no choices here, and stand in the
 * schema so that one who brings them from another program hears why: an offset is committed after the database has
 * committed, never by a timer or by the client's own hand.
 */
function consumerOptions() {
  const pinned = <Value extends boolean>(value: Value, reason: string) =>
    optionalSetting(z.literal(value), {
      shape: `${value}: ${reason}`,
      meaning: `Always ${value}: ${reason}.`,
      kind: 'switch',
    })
  return z
    .strictObject({
      autoCommit: pinned(false, 'an offset is committed only after the database has committed'),
      eachBatchAutoResolve: pinned(false, 'a batch is resolved only after the database has committed'),
      fromBeginning: pinned(
        true,
        'a new group begins at the earliest record, and consumer.startFrom says otherwise',
      ),
      allowAutoTopicCreation: pinned(false, 'a mistyped topic must not come into being'),
    })
    .prefault({})
}
