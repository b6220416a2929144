import type { TObject } from 'typebox'

interface Property {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly items?: Property
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
}

/** Values for arguments whose name alone decides what they accept. */
const byName: Readonly<Record<string, string>> = { confirm: 'Sample', key: 'SAMPLE', duration: '1h' }

function sampleOf(
  name: string,
  { type, enum: words, items = {}, properties = {}, required = [] }: Property
): unknown {
  if (words !== undefined) return words[0]
  const one = [type].flat()[0]
  if (one === 'array') return [sampleOf(name, items)]
  if (one === 'object') return samplesOf(required, properties)
  if (one === 'integer' || one === 'number') return 1
  if (one === 'boolean') return true
  if (name.endsWith('sha')) return 'a'.repeat(40)
  if (/(?:_id|iid|_ids|^id)$/.test(name)) return '1'
  return byName[name] ?? 'a/b'
}

const samplesOf = (
  names: readonly string[],
  properties: Readonly<Record<string, Property>>
): Record<string, unknown> =>
  Object.fromEntries(names.map(name => [name, sampleOf(name, properties[name] ?? {})]))

/** @returns arguments that a tool accepts: those it requires and, of the given names, those it has */
export function sampleArguments(input: TObject, names: readonly string[]): Record<string, unknown> {
  const { properties = {}, required = [] } = input as Property
  return samplesOf([...required, ...names.filter(name => properties[name] !== undefined)], properties)
}
