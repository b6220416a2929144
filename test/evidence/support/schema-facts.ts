import facts from '../schema-facts.json' with { type: 'json' }

const records: Record<string, { file: string; fields: Record<string, string> }> = facts.records
const answers = facts.answers.map(([record, pattern]) => ({
  record: record!,
  of: new RegExp(`^${pattern}$`)
}))

export const source = facts.source

/** The kind of record that an operation answers with, where the published schemas have it. */
export const recordOf = (key: string): string | undefined => answers.find(({ of }) => of.test(key))?.record

/** The fields that a published schema has of a record. */
export const fieldsOf = (name: string): string[] =>
  Object.keys(records[name]!.fields).map(field => field.replace('!', ''))

/** How a value breaks a published schema, a place and a reason each; counts what was looked at. */
export function breaches(
  name: string,
  value: unknown,
  count: (facts: number) => void,
  place = name
): string[] {
  const record = records[name]!
  if (typeof value !== 'object' || value === null) return [`${place} is no record`]
  return Object.entries(record.fields).flatMap(([field, type]) => {
    const key = field.replace('!', '')
    const child = (value as Record<string, unknown>)[key]
    if (child === undefined) return field.endsWith('!') ? [`${place}.${key} is missing`] : []
    count(1)
    return fits(type, child, count, `${place}.${key}`)
  })
}

function fits(type: string, value: unknown, count: (facts: number) => void, place: string): string[] {
  if (type.endsWith('?')) return value === null ? [] : fits(type.slice(0, -1), value, count, place)
  if (type.startsWith('['))
    return Array.isArray(value)
      ? value.flatMap(item => fits(type.slice(1, -1), item, count, `${place}[]`))
      : [`${place} is no list`]
  if (type.startsWith('@')) return breaches(type.slice(1), value, count, place)
  return isOf(type, value) ? [] : [`${place} is ${JSON.stringify(value)}, not ${type}`]
}

function isOf(type: string, value: unknown): boolean {
  if (type.includes('|')) return type.split('|').includes(String(value))
  switch (type) {
    case 'any':
      return true
    case 'integer':
      return Number.isInteger(value)
    case 'time':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    default:
      return typeof value === type
  }
}
