import type { Flag } from '../configuration/flags.ts'
import type { CommandOptions } from './command-options.ts'

/** Texts of a command's own flags, where they were given. */
export type GivenTexts = Readonly<
  Partial<Record<'reason' | 'since' | 'eventId' | 'effects' | 'day' | 'limit' | 'as' | 'table', string>>
>

/** What the command line gives a command; each reads what it has named. */
export type EntryOptions = CommandOptions &
  Readonly<
    Record<
      | 'json'
      | 'dryRun'
      | 'exitCode'
      | 'printSql'
      | 'printGrants'
      | 'all'
      | 'yes'
      | 'mayHaveBeenApplied'
      | 'plan'
      | 'prefix',
      boolean
    >
  > & {
    /** What stands without a flag, in order. */
    readonly args: readonly string[]
    readonly given: GivenTexts
  }

/** A command as the command line knows it. */
export type Entry = {
  /** One word, or two: then the first names a family. */
  readonly name: string
  readonly meaning: string
  /** One that can be typed as it stands; a test finds its flags in the help above it. */
  readonly example: string
  /** What stands without a flag: `<topic> [ids...]`. */
  readonly args?: string
  /** The flags of its own, with what they do. */
  readonly switches?: Readonly<Record<string, string>>
  /** More to say than fits beside the flags. */
  readonly remarks?: string
  /** Which flags of the configuration it has, beside those of every command. */
  readonly flagsOf?: readonly Flag['of'][]
  readonly run: (options: EntryOptions) => Promise<number>
}
