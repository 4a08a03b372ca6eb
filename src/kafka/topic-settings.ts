import kafkajs, { type Admin } from 'kafkajs'
import { kafkaFailureOf } from './kafka-error.ts'

/** The settings of a topic that decide how long a record can come back. */
export type TopicSettings = {
  readonly topic: string
  /** `retention.ms`; null where the topic keeps its records without limit. */
  readonly retentionMs: number | null
  /** `segment.ms`: a record can outlive the retention by the time its segment spans. */
  readonly segmentMs: number
  /** `cleanup.policy`: `delete`, `compact` or both. */
  readonly cleanupPolicy: string
  /** `message.timestamp.type`: `CreateTime` or `LogAppendTime`. */
  readonly timestampType: string
}

/** Null where there is no such topic. One topic a call: describeConfigs fails as a whole when one is missing. */
export async function fetchTopicSettings(admin: Admin, topic: string): Promise<TopicSettings | null> {
  try {
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configNames: [...NAMES] }],
    })
    const entries = resources[0]?.configEntries ?? []
    const settingOf = (name: string): string => {
      const value = entries.find((entry) => entry.configName === name)?.configValue
      // An absent retention must never be read as a short one.
      if (value == null)
        throw new Error(`reading the settings of the topic "${topic}": no ${name} in the answer`)
      return value
    }
    const retention = Number(settingOf('retention.ms'))
    return {
      topic,
      retentionMs: retention < 0 ? null : retention,
      segmentMs: Number(settingOf('segment.ms')),
      cleanupPolicy: settingOf('cleanup.policy'),
      timestampType: settingOf('message.timestamp.type'),
    }
  } catch (error) {
    if (kafkaFailureOf(error) === 'unknown-topic') return null
    throw error
  }
}

const NAMES = ['retention.ms', 'segment.ms', 'cleanup.policy', 'message.timestamp.type'] as const
