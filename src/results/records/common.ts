import { isRecord } from '../is-record.ts'

type Fields = Record<string, unknown>

/** Of a value, in characters of JSON; a longer one stays where it is. */
const MAX_SHARED = 2_000

/**
 * Takes fields that have one value in all records of a list out of them, such as the pipeline of a pipeline's own
 * jobs. A list of one record keeps its own.
 * @returns those fields; undefined when there are none
 */
export function saidOnce(list: readonly unknown[], names: readonly string[]): Fields | undefined {
  const records = list.filter(isRecord)
  if (records.length < 2 || records.length < list.length) return undefined
  const common: Fields = {}
  for (const name of names) {
    const value: unknown = records[0]![name]
    if (value === undefined || value === null || !areSame(records, name)) continue
    common[name] = value
    for (const record of records) record[name] = undefined
  }
  return Object.keys(common).length === 0 ? undefined : common
}

/** Whether a field is the same in all, and short: what is shared is shown beside the bound of the list. */
function areSame(records: readonly Fields[], name: string): boolean {
  const text = JSON.stringify(records[0]![name])
  return text.length <= MAX_SHARED && records.every(record => JSON.stringify(record[name]) === text)
}
