import { startOfDay } from '../../../src/calendar/period.ts'
import { DEFAULT_POLICY, type Policy } from '../../../src/maintenance/policy.ts'
import { openDatabase } from '../../../src/postgres/database.ts'
import type { DatabaseSettings } from '../../../src/postgres/database-settings.ts'
import { outcomesOf, runOnce } from '../../maintenance/maintenance-bench.ts'
import { type ConsumerBench, createConsumerBench } from '../../support/consumer-bench.ts'
import { giveClock } from '../../support/database-clock.ts'
import { eventually } from '../../support/eventually.ts'
import { TYPESCRIPT_HANDLER } from '../../support/ledger.ts'
import { payment } from '../../support/payments.ts'
import { startConsumerProcess } from '../../support/start-consumer-process.ts'
import type { ModelRecord } from './oracle.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MEMBER = 'daymark:model-member'

/** Days go two days after their end: soon enough that a run of the model sees it. */
const POLICY: Policy = { ...DEFAULT_POLICY, retention: { kind: 'given', ms: 2 * DAY_MS } }

export type MemberKind = 'in-process' | 'process'

type Member = { readonly kind: MemberKind; stop(): Promise<void>; kill(): Promise<void> }

/** What daymark has written down, in the shape in which the oracle says it. */
export type Findings = { readonly applied: readonly string[]; readonly dead: ReadonlyMap<string, string> }

/** A group with its topic, its database and the database's clock, for the commands of the model to act on. */
export type World = AsyncDisposable & {
  readonly members: readonly Member[]
  send(records: readonly ModelRecord[]): Promise<void>
  join(kind: MemberKind): Promise<void>
  leave(): Promise<void>
  /** Kills the members that are processes. */
  kill(): Promise<void>
  /** Terminates every connection of the members. */
  cut(): Promise<void>
  /** Stops all members and takes the group back to an offset of one topic partition. */
  rewind(partition: number, offset: number): Promise<void>
  /** Stops all members and has the broker forget what the group has committed. */
  forgetOffsets(): Promise<void>
  nextDay(): Promise<void>
  /** Waits until the group has read this many records, from the beginning of the logs. */
  read(records: number): Promise<void>
  find(): Promise<Findings>
}

export async function createWorld(partitions: number, today: string): Promise<World> {
  await using stack = new AsyncDisposableStack()
  const bench = stack.use(await createConsumerBench({ partitions, batchRows: 8 }))
  const clock = await giveClock(bench.db.database)
  await clock.set(startOfDay(today) + 6 * HOUR_MS)
  // A session finds the moved clock only if it was opened after it came.
  const memberSettings = { ...bench.db.settings, applicationName: MEMBER }
  const members: Member[] = []
  stack.defer(async () => {
    await Promise.all(members.map((member) => member.kill()))
  })
  const stopAll = async (): Promise<void> => {
    await Promise.all(members.splice(0).map((member) => member.stop()))
  }
  await maintain(bench)
  const kept = stack.move()
  return {
    members,
    send: (records) =>
      bench.send(
        records.map(({ id, partition, timestampMs, value }) =>
          payment(id, { partition, timestampMs, amountCents: value }),
        ),
      ),
    async join(kind) {
      members.push(
        kind === 'process'
          ? await joinAsProcess(bench, memberSettings)
          : await joinInProcess(bench, memberSettings),
      )
    },
    async leave() {
      await members.shift()?.stop()
    },
    async kill() {
      const killed = members.filter(({ kind }) => kind === 'process')
      await Promise.all(killed.map((member) => member.kill()))
      members.splice(0, members.length, ...members.filter((member) => !killed.includes(member)))
    },
    async cut() {
      await bench.db.database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name like $1::text`,
        [`${MEMBER}%`],
      )
    },
    async rewind(partition, offset) {
      await stopAll()
      await whenEmpty(() =>
        bench.topics.admin.setCommittedOffsets(bench.settings.group, bench.topic, [
          { partition, offset: String(offset) },
        ]),
      )
    },
    async forgetOffsets() {
      await stopAll()
      await whenEmpty(bench.forgetOffsets)
    },
    async nextDay() {
      await clock.advance(DAY_MS)
      await maintain(bench)
    },
    read: (records) => bench.committed(records),
    find: () => findIn(bench),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** A member that was killed stays in its group until its session is over. */
async function whenEmpty(work: () => Promise<void>): Promise<void> {
  await eventually('the group to have no members', async () => {
    await work()
    return true
  })
}

async function maintain({ db, topics }: ConsumerBench): Promise<void> {
  for (const kind of ['make', 'remove'] as const) {
    const report = await runOnce(db, kind, POLICY, {}, topics.kafka)
    if (report.outcome !== 'done' && report.outcome !== 'already')
      throw new Error(`expected a ${kind} run to be done, got ${outcomesOf(report).join('; ')}`)
  }
}

async function joinInProcess(bench: ConsumerBench, settings: DatabaseSettings): Promise<Member> {
  const database = openDatabase(settings, () => undefined)
  const consumer = await bench.start({ database })
  const stop = async (): Promise<void> => {
    await consumer.stop()
    await database.end()
  }
  return { kind: 'in-process', stop, kill: stop }
}

async function joinAsProcess(
  { settings, topics }: ConsumerBench,
  database: DatabaseSettings,
): Promise<Member> {
  const member = startConsumerProcess({
    settings,
    database,
    kafka: topics.kafka,
    handlerPath: TYPESCRIPT_HANDLER,
  })
  await eventually('the process to have joined', () => member.assigned() !== null)
  return {
    kind: 'process',
    kill: () => member.kill(),
    async stop() {
      member.signal('SIGTERM')
      const exitCode = await member.ended
      if (exitCode !== 0) throw new Error(`expected a stopped member to end with 0, got ${exitCode}`)
    },
  }
}

async function findIn({ db }: ConsumerBench): Promise<Findings> {
  const effects = await db.database.query<{ id: string }>('select event_id as id from ledger_entries')
  const dead = await db.database.query<{ place: string; reason: string }>(
    `select partition || '@' || "offset" as place, reason from daymark.dead_letters`,
  )
  return {
    applied: effects.rows.map(({ id }) => id),
    dead: new Map(dead.rows.map(({ place, reason }) => [place, reason])),
  }
}
