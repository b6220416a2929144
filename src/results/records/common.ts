import type { Fields, OwnFields } from '../../json/records.ts'
import { isLongerThan } from '../../json/size.ts'
import { isRecord } from '../is-record.ts'

/** Longest shared value, in characters of JSON; a longer one stays in the records. */
const MAX_SHARED = 2_000

/**
 * Removes from the records of a list those fields that have the same value in all of them, such as the pipeline of a
 * pipeline's own jobs. A list of one record keeps them.
 * @returns those fields; undefined if there are none
 */
export function saidOnce(list: readonly unknown[], names: readonly string[]): OwnFields | undefined {
  const records = list.filter(isRecord)
  if (records.length < 2 || records.length < list.length) return undefined
  const common: OwnFields = {}
  for (const name of names) {
    const value: unknown = records[0]![name]
    if (value === undefined || value === null || !areSame(records, name)) continue
    common[name] = value
    for (const record of records) record[name] = undefined
  }
  return Object.keys(common).length === 0 ? undefined : common
}

/**
 * Whether a field is the same in all records, and short: shared fields are shown outside the size limit of the list.
 */
function areSame(records: readonly Fields[], name: string): boolean {
  const isShort = (record: Fields) => !isLongerThan(record[name], MAX_SHARED)
  if (!isShort(records[0]!)) return false
  const text = JSON.stringify(records[0]![name])
  return (
    text.length <= MAX_SHARED &&
    records.every(record => isShort(record) && JSON.stringify(record[name]) === text)
  )
}
