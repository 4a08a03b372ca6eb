import { headerValuesOf } from '../kafka/header-values.ts'
import type { KafkaHeaders } from '../kafka/kafka-record.ts'

/** Headers as a handler reads them: text; an array where a header has several values, null where it has none. */
export type DecodedHeaders = Readonly<Record<string, string | null | readonly (string | null)[]>>

export function decodeHeaders(headers: KafkaHeaders): DecodedHeaders {
  return Object.fromEntries(
    Object.keys(headers).map((name) => {
      const values = headerValuesOf(headers, name).map((value) => value?.toString() ?? null)
      return [name, values.length > 1 ? values : (values[0] ?? null)]
    }),
  )
}
