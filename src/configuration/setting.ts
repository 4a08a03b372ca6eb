import { z } from 'zod'

/** What is said of one setting, once, for complaints, `config print`, the JSON Schema and the documentation. */
export type SettingFacts = {
  /** Completes "expected KEY to be …", with an example where the shape is not plain. */
  readonly shape: string
  readonly meaning: string
  /** How a text from a flag or variable becomes a value; the file has JSON's own kinds. */
  readonly kind: 'text' | 'number' | 'switch' | 'list'
  /** Names that people know already; the one that follows from the path comes after them. */
  readonly variables?: readonly string[]
  /** Never in the file, masked wherever it is shown, and also read from the file that `X_FILE` names. */
  readonly secret?: true
  /** No text of a flag or variable can say it. */
  readonly fileOnly?: true
  /** What holds where nothing is set, as the file would have it. */
  readonly fallback?: unknown
}

/** The facts of each setting, by its schema. */
export const settingFacts = z.registry<SettingFacts>()

/** A setting that holds `fallback` where nothing is set. */
export function setting<Schema extends z.ZodType>(
  schema: Schema,
  fallback: z.input<Schema>,
  facts: Omit<SettingFacts, 'fallback'>,
): z.ZodPrefault<Schema> {
  const described = z.prefault(schema, fallback).describe(facts.meaning)
  settingFacts.add(described, { ...facts, fallback })
  return described
}

/** A setting that may be left out. */
export function optionalSetting<Schema extends z.ZodType>(
  schema: Schema,
  facts: Omit<SettingFacts, 'fallback'>,
): z.ZodOptional<Schema> {
  const described = z.optional(schema).describe(facts.meaning)
  settingFacts.add(described, facts)
  return described
}
