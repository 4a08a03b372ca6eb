import type { Day } from '../calendar/period.ts'
import type { ElderForm } from './elder.ts'
import type { RunKind } from './policy.ts'

/** What every step tells: to a person, in a dry run, on the page, in `maintenance_runs`. */
type StepFacts = {
  readonly run: RunKind
  /** Null for a step that is not about one partition. */
  readonly partition: string | null
  readonly fromDay: Day | null
  /** Half-open: the day after the last. */
  readonly untilDay: Day | null
  readonly reason: string
  /** The statements that change something, in order, exactly as they are sent. */
  readonly sql: readonly string[]
  /** The strongest lock taken, and on what. */
  readonly lock: string
}

/** One action of maintenance, as data: the worker carries out exactly this. */
export type Step =
  /** The first run of a table says up to where it never had markers. */
  | (StepFacts & { readonly kind: 'write-fence'; readonly day: Day })
  | (StepFacts & { readonly kind: 'make-day'; readonly day: Day })
  /** `drop` is null where the interrupted detach was not ours: it is finished, and what it leaves is left alone. */
  | (StepFacts &
      Target & { readonly kind: 'finish-detach'; readonly finalize: string; readonly drop: string | null })
  | (StepFacts &
      Target & {
        readonly kind: 'remove-day'
        readonly detach: string
        readonly drop: string
        /** Until when it is parked, by the database's clock; null where it is dropped at once. */
        readonly keepUntilMs: number | null
        /** The planner's estimates; null where there is none. */
        readonly estimatedRows: number | null
        readonly estimatedBytes: number | null
      })
  | (StepFacts & Target & { readonly kind: 'drop-detached'; readonly drop: string })
  /** Asked for by a person, never planned by itself. */
  | (StepFacts & Target & { readonly kind: 'reattach-day'; readonly day: Day; readonly attach: string })
  /** `batch` is sent again and again, until it deletes nothing more. */
  | (StepFacts & { readonly kind: 'prune'; readonly batch: string; readonly estimatedRows: number | null })
  /** Asked for by a person: from its transaction on, every batch asks the table too. */
  | (StepFacts & Named & { readonly kind: 'adopt-elder'; readonly form: ElderForm })
  | (StepFacts & Named & { readonly kind: 'retire-elder' })
  | (StepFacts &
      Named & {
        readonly kind: 'drop-elder'
        readonly form: ElderForm
        readonly drop: string
        /** What was written after this was written by somebody else. */
        readonly retiredMs: number
      })
  /** A day past its retention that must stay: nothing is done but to say so. */
  | (StepFacts & { readonly kind: 'keep-day' })
  /** Something that a person must change first: nothing is done but to say so. */
  | (StepFacts & { readonly kind: 'refuse' })

export type StepKind = Step['kind']

export type StepOf<Kind extends StepKind> = Extract<Step, { readonly kind: Kind }>

/** A table, looked up by OID and compared by name before anything is done to it. */
type Named = { readonly oid: string; readonly schema: string; readonly name: string }

/** The table that a step means. Looked up by OID and compared by name and bounds before anything is done to it. */
type Target = Named & {
  readonly fromDay: Day
  readonly untilDay: Day
}
