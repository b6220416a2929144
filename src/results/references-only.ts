import type { Fields, OwnFields } from '../json/records.ts'
import { isPerson } from './compact.ts'
import { isRecord, ownValue } from './is-record.ts'
import { type RecordKind, type ReferenceKinds, targets, within } from './records/within.ts'

/** The kind of the records in each field. */
const kinds = new Map<string, RecordKind>()
/** The fields that identify a record of each kind. */
const names = new Map<RecordKind, ReadonlySet<string>>()

for (const kind of Object.keys(within) as RecordKind[]) {
  const { fields, named } = within[kind]
  names.set(kind, new Set(named.split(' ')))
  for (const field of fields.split(' ')) kinds.set(field, kind)
}

const kindOf = (field: string, { target_type: type }: Fields): RecordKind | undefined =>
  field === 'target' ? (ownValue(targets, String(type)) ?? 'issue') : kinds.get(field)

/** Reduces records within others to their identifying fields, at any depth, in place. */
export class ReferencesOnly {
  readonly #only: ReferenceKinds
  /**
   * Kinds from which fields were removed, with the tool that shows them. The key is the kind, because a forge may send
   * any number of field names.
   */
  readonly #taken = new Map<RecordKind, string>()

  /** @param only the kinds to reduce */
  constructor(only: ReferenceKinds) {
    this.#only = only
  }

  /** Searches a record, or each record of a list, for records within it. @returns the same value */
  within(value: unknown): unknown {
    if (Array.isArray(value)) for (const one of value) this.within(one)
    else if (isRecord(value))
      for (const field in value) {
        const item = value[field]
        if (typeof item === 'object' && item !== null) this.#bring(item, kindOf(field, value))
      }
    return value
  }

  #bring(value: unknown, kind: RecordKind | undefined): void {
    if (Array.isArray(value)) for (const one of value) this.#bring(one, kind)
    if (!isRecord(value)) return
    const known = kind ?? (isPerson(value) ? 'person' : undefined)
    const tool = known && this.#only[known]
    if (tool !== undefined) this.#cut(value, known!, tool)
    this.within(value)
  }

  #cut(record: OwnFields, kind: RecordKind, tool: string): void {
    const kept = names.get(kind)!
    for (const name in record) {
      if (kept.has(name)) continue
      if (tool !== '' && (record[name] ?? '') !== '') this.#taken.set(kind, tool)
      record[name] = undefined
    }
  }

  /** Sentences on the fields that were removed. */
  get notices(): readonly string[] {
    return [...this.#taken].map(
      ([kind, tool]) =>
        `Of each ${kind.replace('_', ' ')} in it only what names it is shown: ${tool}, which shows the rest, is switched off on this server.`
    )
  }
}
