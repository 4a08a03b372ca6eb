/** What decides. A decision that asks the clock or the world cannot be shown before it is carried out. */
export const PURE_FILES = [
  // A day must be the same from any process, at any age.
  'src/calendar/period.ts',
  // Identity: the same record gives the same id and the same days, always, or an event takes effect twice.
  'src/consumer/event-id.ts',
  'src/consumer/id-time.ts',
  'src/consumer/identify.ts',
  'src/consumer/marker-days.ts',
  // What becomes of an event: decided from the rows found, so that every case is a test without a server.
  'src/consumer/candidates.ts',
  'src/consumer/cut-batches.ts',
  'src/consumer/decode-event.ts',
  'src/consumer/effect-statement.ts',
  'src/consumer/outcomes.ts',
  'src/consumer/window.ts',
  // What a replay would do is shown by a dry run; what is missing in a numbering is counted to the event.
  'src/consumer/plan-replay.ts',
  'src/consumer/sequence-gaps.ts',
  // Where to read, and what follows on a failure: chance and waits are handed in.
  'src/consumer/dead-letter-limit.ts',
  'src/consumer/next-attempt.ts',
  'src/consumer/starting-point.ts',
  // The plan an operator is shown is the object that the worker carries out; the instant is handed in.
  'src/maintenance/adoption.ts',
  'src/maintenance/elder.ts',
  'src/maintenance/evidence.ts',
  'src/maintenance/first-fence.ts',
  'src/maintenance/obstacles.ts',
  'src/maintenance/outcome-of-error.ts',
  'src/maintenance/partition.ts',
  'src/maintenance/partition-ddl.ts',
  'src/maintenance/plan.ts',
  'src/maintenance/plan-elders.ts',
  'src/maintenance/plan-finish.ts',
  'src/maintenance/plan-make.ts',
  'src/maintenance/plan-prune.ts',
  'src/maintenance/plan-remove.ts',
  'src/maintenance/prunable-days.ts',
  'src/maintenance/prune-obstacles.ts',
  'src/maintenance/prune-sql.ts',
  'src/maintenance/removable-days.ts',
  'src/maintenance/retention.ts',
  'src/maintenance/step.ts',
  // By code, never by wording, and by nothing else.
  'src/kafka/kafka-error.ts',
  'src/kafka/offset.ts',
  'src/postgres/identifier.ts',
  'src/postgres/sqlstate.ts',
]
