import { z } from 'zod'
import { DEFAULT_POLICY as DEFAULTS } from '../../maintenance/policy.ts'
import { duration, durationInWords, durationShape } from '../duration.ts'
import { optionalSetting, setting } from '../setting.ts'

const DAY_MS = 86_400_000

const retentionRange = { fromMs: DAY_MS, untilMs: 3_650 * DAY_MS }
const stallRange = { fromMs: 1, untilMs: 60_000 }
const parkRange = { fromMs: 60_000, untilMs: 365 * DAY_MS }
const delayRange = { fromMs: 0, untilMs: 365 * DAY_MS }

/** What an operator may want of any table that is looked after. */
export const maintenanceShape = {
  retention: setting(z.union([z.literal('from-topics'), duration(retentionRange)]), 'from-topics', {
    shape: `'from-topics' or ${durationShape(retentionRange, '8 days')}`,
    meaning: "How long a day is kept after it has ended: by the topics' own retention, or this long.",
    kind: 'text',
  }),
  runwayDays: setting(z.int().min(1).max(366), DEFAULTS.runwayDays, {
    shape: 'a whole number of days from 1 to 366',
    meaning: 'How many days ahead have a partition, and how far ahead an event may be dated.',
    kind: 'number',
  }),
  maxDaysBack: setting(z.int().min(1).max(3_650), DEFAULTS.maxDaysBack, {
    shape: 'a whole number of days from 1 to 3650',
    meaning: 'How far back the first run of a table makes days at most.',
    kind: 'number',
  }),
  maxDropsPerRun: setting(z.int().min(1).max(10_000), DEFAULTS.maxDropsPerRun, {
    shape: 'a whole number from 1 to 10000',
    meaning: 'The most days that one run removes.',
    kind: 'number',
  }),
  keepDetached: optionalSetting(duration(parkRange), {
    shape: durationShape(parkRange, '24 hours'),
    meaning:
      'How long a removed day is parked, detached but not dropped, so that `daymark reattach` can bring it back. Without it: not at all. Counts for every table that says nothing else.',
    kind: 'text',
  }),
  stallBudget: setting(duration(stallRange), durationInWords(DEFAULTS.stallBudgetMs), {
    shape: durationShape(stallRange, '100 ms'),
    meaning: 'The longest that a step may make a writer wait.',
    kind: 'text',
  }),
  maxPublishDelay: optionalSetting(duration(delayRange), {
    shape: durationShape(delayRange, '1 day'),
    meaning:
      'How late a record may be published after the day it is marked for. Without it: 1 day where the day comes from the id, else none.',
    kind: 'text',
  }),
}

/** What an operator wants for the marker table. */
export const maintenanceSection = z.strictObject(maintenanceShape).prefault({})
