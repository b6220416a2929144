import type { ToolRow } from '../../../src/engine/rows/row.ts'

interface Schema {
  type?: string | readonly string[]
  enum?: readonly unknown[]
  pattern?: string
  day?: boolean
  description?: string
  minimum?: number
  minLength?: number
  required?: readonly string[]
  properties?: Record<string, Schema>
  items?: Schema
}

/** Values for arguments whose form their schema does not tell. */
const forms: readonly [RegExp, string][] = [
  [/(^|_)(before|after|at|since|until|from_time)$|_time$/, '2026-01-02T03:04:05Z'],
  [/date$/, '2026-01-02'],
  [/(^|_)sha$/, 'a'.repeat(40)],
  [/^(target_)?project_id$/, 'acme/rocket'],
  [/^group_id$/, 'acme'],
  [/(^|_)(id|iid)$/, '1'],
  [/(^|_)(id|iid)s$/, '1'],
  [/(^|_)url$/, 'https://receiver.example/hook'],
  [/^cron$/, '0 4 * * *'],
  [/^duration$/, '1h'],
  [/_asset_path$/, '/bin/app'],
  [/^status$/, 'to_do']
]

/** A value that fits an argument's schema. */
export function valueFor(name: string, schema: Schema): unknown {
  if (schema.enum) return schema.enum[0]
  switch ([schema.type].flat()[0]) {
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return true
    case 'array':
      return [valueFor(name, schema.items ?? {})]
    case 'object':
      return objectFor(schema, Object.keys(schema.properties ?? {}))
    default:
      return textFor(name, schema).padEnd(schema.minLength ?? 0, 'x')
  }
}

function textFor(name: string, { day, description = '' }: Schema): string {
  if (day) return '2026-01-02'
  if (/^gid\b/.test(description)) return `gid://gitlab/Discussion/${'a'.repeat(40)}`
  return forms.find(([form]) => form.test(name))?.[1] ?? 'text'
}

const objectFor = ({ properties = {} }: Schema, names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, valueFor(name, properties[name]!)]))

export function requiredOf({ input }: ToolRow): {
  required: readonly string[]
  properties: Record<string, Schema>
} {
  const { required = [], properties = {} } = input as Schema
  return { required, properties }
}

/** One call; `about` is the argument that it is made for. */
export interface Attempt {
  args: Record<string, unknown>
  about?: string
}

/**
 * Calls of a tool that between them give each argument, and each value an argument may have, at least once: the
 * required ones alone, then with each other one, then all of them together.
 */
export function* callsOf(row: ToolRow): Generator<Attempt> {
  const schema = row.input as Schema
  const { required, properties } = requiredOf(row)
  const optional = Object.keys(properties).filter(name => !required.includes(name))
  yield { args: objectFor(schema, required) }
  for (const about of Object.keys(properties)) {
    const args = objectFor(schema, [...new Set([...required, about])])
    const { enum: values = [], items } = properties[about]!
    if (optional.includes(about)) yield { args, about }
    for (const value of values) yield { args: { ...args, [about]: value }, about }
    for (const value of items?.enum ?? []) yield { args: { ...args, [about]: [value] }, about }
  }
  yield { args: objectFor(schema, [...required, ...optional]) }
}

/**
 * The call again as its refusal says it should be: without one of two that exclude each other, also in the items of a
 * list, with the first argument that the sentence names and the call lacks, or with the value that it names for one.
 * @returns nothing where the sentence says none of it
 */
export function heeding(row: ToolRow, { args, about }: Attempt, refusal: string): Attempt | undefined {
  const { required, properties } = requiredOf(row)
  const again = (changed: Record<string, unknown>): Attempt => ({
    args: { ...args, ...changed },
    ...(about && { about })
  })
  const words = refusal.match(/\w+/g) ?? []
  if (/^Only one of|cannot be given with/.test(refusal)) {
    const name = words.find(word => word in args && word !== about)
    return name === undefined ? undefined : again({ [name]: undefined })
  }
  const list = /^(\w+) has .* with value and destroy:/.exec(refusal)?.[1] ?? ''
  if (Array.isArray(args[list])) return again({ [list]: args[list].map(({ destroy: _, ...item }) => item) })
  for (const [at, name] of words.entries()) {
    const schema = properties[name]
    if (schema === undefined) continue
    const wanted = schema.enum?.find(value => value === words[at + 1])
    if (wanted !== undefined && args[name] !== wanted && name !== about) return again({ [name]: wanted })
    if (!(name in args)) return again({ [name]: valueFor(name, schema) })
  }
  if (!/at least one field/.test(refusal)) return undefined
  const name = Object.keys(properties).find(
    name => !(name in args || required.includes(name) || /^(project|group)_id$/.test(name))
  )
  return name === undefined ? undefined : again({ [name]: valueFor(name, properties[name]!) })
}
