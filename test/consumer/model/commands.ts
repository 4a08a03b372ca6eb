import assert from 'node:assert/strict'
import fc from 'fast-check'
import { addDays, startOfDay } from '../../../src/calendar/period.ts'
import type { ModelRecord, Oracle } from './oracle.ts'
import type { Findings, MemberKind, World } from './world.ts'

const MINUTE_MS = 60_000
const MEMBERS = 2

type Command = fc.AsyncCommand<Oracle, World>

/** How a command prints in a counterexample, and what it does to the world and to the oracle. */
function command(name: string, run: Command['run'], check: (world: Oracle) => boolean = () => true): Command {
  return { check, run, toString: () => name }
}

/** Everything delivered, daymark has written what the oracle says: each effect, each dead letter, and no other. */
async function settle(oracle: Oracle, world: World): Promise<void> {
  if (world.members.length === 0) await world.join('in-process')
  await world.read(oracle.logs.flat().length)
  oracle.deliverAll()
  const found = await world.find()
  const events = oracle.logs.flatMap((log, partition) =>
    log.map((record, offset) => ({ ...record, place: `${partition}@${offset}` })),
  )
  const fateIn = ({ id, place }: (typeof events)[number], found: Findings): string =>
    `${found.applied.filter((each) => each === id).length} effects, ${found.dead.get(place) ?? 'not dead'}`
  const isLoose = ({ id }: (typeof events)[number]): boolean => oracle.loose.has(id)
  const differing = events.filter(
    (event) => !isLoose(event) && fateIn(event, found) !== fateIn(event, oracle),
  )
  assert.deepEqual(
    differing.map((event) => ({
      ...event,
      at: new Date(event.timestampMs).toISOString(),
      found: fateIn(event, found),
    })),
    differing.map((event) => ({
      ...event,
      at: new Date(event.timestampMs).toISOString(),
      found: fateIn(event, oracle),
    })),
  )
  const isCounted = (id: string): boolean => !oracle.loose.has(id)
  assert.equal(found.applied.filter(isCounted).length, oracle.applied.filter(isCounted).length)
  for (const id of oracle.loose) assert.ok(found.applied.includes(id), `${id} was lost`)
  const places = new Set(events.filter((event) => !isLoose(event)).map(({ place }) => place))
  const isOfThese = (place: string): boolean => places.has(place)
  assert.equal(
    [...found.dead.keys()].filter(isOfThese).length,
    [...oracle.dead.keys()].filter(isOfThese).length,
  )
}

async function publish(oracle: Oracle, world: World, records: readonly ModelRecord[]): Promise<void> {
  await world.send(records)
  for (const record of records) oracle.logs[record.partition]?.push(record)
}

/** Copies of an event lie in one partition: which of two partitions is read first, nobody can say. */
const drafts = fc.record({
  partition: fc.nat({ max: 1 }),
  day: fc.integer({ min: -4, max: 9 }),
  minute: fc.oneof(fc.integer({ min: -14, max: 14 }), fc.integer({ min: 0, max: 1_439 })),
})

const publishing = fc.array(drafts, { minLength: 1, maxLength: 24 }).map((given) =>
  command(`publish ${given.length}`, (oracle, world) => {
    const first = oracle.logs.flat().length
    const records = given.map(({ partition, day, minute }, index) => ({
      id: `evt-${first + index}`,
      partition,
      timestampMs: startOfDay(addDays(oracle.today, day)) + minute * MINUTE_MS,
      value: 100,
    }))
    return publish(oracle, world, records)
  }),
)

const copies = fc.record({
  of: fc.nat({ max: 10_000 }),
  laterMinutes: fc.constantFrom(0, 0, -10, 10, -20, 20, -600, 600, -1_500, 1_500),
  value: fc.constantFrom(100, 100, 100, 200),
})

const republishing = fc.array(copies, { minLength: 1, maxLength: 12 }).map((given) =>
  command(
    `republish ${given.map(({ of, laterMinutes, value }) => `${of}${laterMinutes < 0 ? '' : '+'}${laterMinutes}=${value}`).join(' ')}`,
    (oracle, world) => {
      const published = oracle.logs.flat()
      const records = given.flatMap(({ of, laterMinutes, value }) => {
        const first = published[of % published.length]
        return first === undefined
          ? []
          : [{ ...first, value, timestampMs: first.timestampMs + laterMinutes * MINUTE_MS }]
      })
      return publish(oracle, world, records)
    },
    ({ logs }) => logs.flat().length > 0,
  ),
)

const rewinding = fc.record({ partition: fc.nat({ max: 1 }), share: fc.nat({ max: 99 }) }).map((given) =>
  command(`rewind ${given.partition} to ${given.share} %`, async (oracle, world) => {
    await settle(oracle, world)
    const offset = Math.floor(((oracle.logs[given.partition]?.length ?? 0) * given.share) / 100)
    await world.rewind(given.partition, offset)
    oracle.rewind(given.partition, offset)
  }),
)

const forgetting = fc.constant(
  command('forget offsets', async (oracle, world) => {
    await settle(oracle, world)
    await world.forgetOffsets()
    oracle.logs.forEach((_log, partition) => {
      oracle.rewind(partition, 0)
    })
  }),
)

const dayPassing = fc.constant(
  command('a day passes', async (oracle, world) => {
    await settle(oracle, world)
    await world.nextDay()
    oracle.passDay()
  }),
)

const joining = fc.constantFrom<MemberKind>('in-process', 'process').map((kind) =>
  command(`join as ${kind}`, async (_oracle, world) => {
    if (world.members.length < MEMBERS) await world.join(kind)
  }),
)

const leaving = fc.constant(command('leave', (_oracle, world) => world.leave()))
const killing = fc.constant(command('kill', (_oracle, world) => world.kill()))
const cutting = fc.constant(command('cut', (_oracle, world) => world.cut()))

/** Ends every sequence: what was said on the way is compared once more. */
export const settling: Command = command('settle', settle)

/** A rewind by hand takes the client five seconds, so that it is tried less often than the quick way to the same. */
const anyOf = [
  ...[publishing, publishing, publishing, republishing, republishing, republishing],
  ...[dayPassing, dayPassing, forgetting, forgetting, joining, leaving, killing, cutting],
]

export const commands = fc
  .oneof(
    { weight: 3, arbitrary: fc.commands(anyOf, { size: 'max', maxCommands: 14 }) },
    {
      weight: 1,
      arbitrary: fc.commands([...anyOf, rewinding], { size: 'max', maxCommands: 14 }),
    },
  )
  .map((sequence) => [...sequence, settling])
