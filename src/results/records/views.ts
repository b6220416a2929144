import type { Selection } from '../selection.ts'

/** The parts of a record that are shown, depending on how it was obtained. A missing view equals the one before it. */
export interface RecordViews {
  readonly list: string | Selection
  /** After a get; default as in a list. */
  readonly get?: string | Selection
  /** After a write; default as after a get. */
  readonly write?: string | Selection
  /** Fields that usually have the same value in all records of a list: if so, they are shown once, beside the list. */
  readonly once?: string
  /** Removes duplicate data from a record as the forge sent it, in place. */
  readonly tidy?: (record: Record<string, unknown>) => void
}
