import { isRecord } from '../../engine/is-record.ts'

type Fields = Record<string, unknown>

/**
 * Takes fields that have one value in all records of a list out of them, such as the pipeline of a pipeline's own
 * jobs. A list of one record keeps its own.
 * @returns those fields, undefined when there are none
 */
export function saidOnce(list: readonly unknown[], names: readonly string[]): Fields | undefined {
  const records = list.filter(isRecord)
  if (records.length < 2 || records.length < list.length) return undefined
  const common: Fields = {}
  for (const name of names) {
    const value: unknown = records[0]![name]
    if (value === undefined || value === null) continue
    const text = JSON.stringify(value)
    if (!records.every(record => JSON.stringify(record[name]) === text)) continue
    common[name] = value
    for (const record of records) delete record[name]
  }
  return Object.keys(common).length === 0 ? undefined : common
}
