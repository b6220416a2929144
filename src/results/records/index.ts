import { type Selection, selection } from '../selection.ts'
import { placeRecords } from './places.ts'

/*
 * The one table of what is shown of each type of record: in a list, when one is got, and after a write. Each entry
 * is a selection (selection.ts); what an operator or caller wants whole comes by FORGE_OUTPUT=full.
 */

/** What of a record is shown, by what was done to get it. A view that is missing is the one before it. */
export interface RecordViews {
  readonly list: string
  /** Default as in a list. */
  readonly get?: string
  /** Default as when it is got. */
  readonly write?: string
}

const table = { ...placeRecords } as const satisfies Readonly<Record<string, RecordViews>>

export type RecordName = keyof typeof table
export type RecordView = 'list' | 'get' | 'write'

const compiled = new Map<string, Readonly<Record<RecordView, Selection>>>(
  Object.entries<RecordViews>(table).map(([name, { list, get = list, write = get }]) => [
    name,
    { list: selection(list), get: selection(get), write: selection(write) }
  ])
)

/** The part of a record, or of each record of a list, that its table says. */
export function shownOf(name: RecordName, view: RecordView, value: unknown): unknown {
  const views = compiled.get(name)!
  return Array.isArray(value) ? value.map(views.list) : views[view](value)
}
