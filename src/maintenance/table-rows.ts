import type { TimeColumn } from './sql/find-time-column.ts'
import type { TimeSpan } from './sql/find-time-span.ts'

/** What one look found of a table without partitions. The column is null where there is none of that name. */
export type TableRows = { readonly column: TimeColumn | null } & TimeSpan
