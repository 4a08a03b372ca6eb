/** The library's public entry: the one place that re-exports. */
export { type Consumer, type ConsumerOptions, startConsumer } from './consumer/consumer.ts'
export { type ConsumerObserver, silentObserver } from './consumer/consumer-observer.ts'
export {
  type ConsumerSettings,
  DEFAULT_CONSUMER_SETTINGS,
  type EventIdSource,
  type IdentitySettings,
  type MarkerDaySource,
} from './consumer/consumer-settings.ts'
export {
  type BatchHandler,
  defineHandler,
  type EachHandler,
  type Handler,
  type HandlerEvent,
  type HandlerTransaction,
} from './consumer/handler.ts'
export {
  createEventProducer,
  type EventProducer,
  type EventProducerOptions,
  type EventToSend,
} from './kafka/event-producer.ts'
export type { KafkaSettings } from './kafka/kafka-settings.ts'
export { IdReusedError } from './kafka/used-ids.ts'
export { type Database, openDatabase } from './postgres/database.ts'
export type { DatabaseSettings } from './postgres/database-settings.ts'
export { type Log, openLog, silentLog } from './process/log.ts'
