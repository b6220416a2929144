import { isRecord } from '../../engine/is-record.ts'

type Fields = Record<string, unknown>

/** Of a value, in characters of JSON; a longer one stays where it is. */
const MAX_SHARED = 2_000

/**
 * Takes fields that have one value in all records of a list out of them, such as the pipeline of a pipeline's own
 * jobs, and addresses that differ by the record's own number alone. A list of one record keeps its own.
 * @returns those fields, the address with `{iid}` or `{id}` where the number stands; undefined when there are none
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
  const address = sharedAddress(records)
  if (address !== undefined) {
    common.web_url = address
    for (const record of records) record.web_url = undefined
  }
  return Object.keys(common).length === 0 ? undefined : common
}

/** Whether a field is the same in all, and short: what is shared is shown beside the bound of the list. */
function areSame(records: readonly Fields[], name: string): boolean {
  const text = JSON.stringify(records[0]![name])
  return text.length <= MAX_SHARED && records.every(record => JSON.stringify(record[name]) === text)
}

/** The address that all records have, but for the number at its end; undefined where it is not one. */
function sharedAddress(records: readonly Fields[]): string | undefined {
  for (const name of ['iid', 'id']) {
    const [address] = records.map(record => withoutNumber(record.web_url, record[name]))
    if (address === undefined || address.length > MAX_SHARED) continue
    if (records.every(record => withoutNumber(record.web_url, record[name]) === address))
      return `${address}{${name}}`
  }
  return undefined
}

const withoutNumber = (address: unknown, number: unknown): string | undefined =>
  typeof address === 'string' && isNumber(number) && address.endsWith(`/${number}`)
    ? address.slice(0, -String(number).length)
    : undefined

const isNumber = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'
