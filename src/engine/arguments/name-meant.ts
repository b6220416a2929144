import { ownValue } from '../../results/is-record.ts'
import { isNamespace } from '../requests/template.ts'
import type { ArgumentSchema } from './argument-flags.ts'
import { askedNames, otherNames, titleNames } from './other-names.ts'

const byName = new Map(Object.entries(otherNames))

/** The arguments that `id` may stand for, in order of preference: the thing itself before its project or group. */
const things = ['merge_request_iid', 'issue_iid', 'iid', 'noteable_iid', 'slug', 'label', 'user_id'] as const
const places = ['project_id', 'group_id'] as const

/**
 * The arguments that `id` may stand for: those that name the thing a tool is about, never a thing it only refers to.
 * @param open the arguments that are not given @param required those that the tool needs
 */
export function namedById(open: readonly string[], required: readonly string[]): readonly string[] {
  const thing = things.find(name => open.includes(name))
  if (thing !== undefined) return [thing]
  const ids = open.filter(
    name => name.endsWith('_id') && required.includes(name) && !places.some(one => one === name)
  )
  return ids.length > 0 ? ids : places.filter(name => open.includes(name)).slice(0, 1)
}

/**
 * Suggests the argument that an unknown name may mean, preferably the id of the named thing.
 * @param known the arguments of the tool
 * @param open those of them that are not given: if several may be meant, one of these is
 */
export function askedName(
  name: string,
  known: readonly string[],
  open: readonly string[]
): string | undefined {
  if (known.includes(`${name}_id`)) return `${name}_id`
  const meant = Object.hasOwn(askedNames, name) ? askedNames[name]! : []
  return typeof meant === 'string'
    ? [meant].find(other => known.includes(other))
    : meant.find(other => open.includes(other))
}

/** Names that correspond to no single argument, with the arguments that replace them and the rest of a sentence. */
const divided: Readonly<Record<string, { readonly by: readonly string[]; readonly says: string }>> = {
  owner: { by: ['project_id'], says: 'project_id has owner and repo in one: "owner/repo"' },
  start_line: { by: ['line', 'end_line'], says: 'line is the first line here, and end_line the last' }
}

/** Explains what to write instead of an argument of this name, as the rest of a sentence. */
export function dividedName(name: string, has: (name: string) => boolean): string | undefined {
  const here = Object.hasOwn(divided, name) && !has(name) ? divided[name]! : undefined
  return here?.by.every(has) ? here.says : undefined
}

/** Names under which callers mostly give a comment. */
const remarks: ReadonlySet<string> = new Set(['body', 'comment', 'content', 'message', 'note', 'text'])

/**
 * Whether a name means a comment rather than the text that a change replaces. Taken for that text, the comment would
 * overwrite it.
 */
export const isRemark = (name: string, { commentedBy }: ArgumentSchema): boolean =>
  commentedBy !== undefined && remarks.has(name.toLowerCase())

/** Most characters of a name that is read: no argument has more. */
const MAX_CHARS = 60
/** A name in camel case, with no more words than an argument has. */
const camelCase = /^[^A-Z]+(?:[A-Z][^A-Z]+){1,7}$/

const snakeOf = (name: string): string | undefined =>
  camelCase.test(name) ? name.replace(/(?=[A-Z])/g, '_').toLowerCase() : undefined

/** The argument that an unknown name stands for; undefined if there is none, or more than one. */
export function meantName(name: string, has: (name: string) => boolean): string | undefined {
  if (name.length > MAX_CHARS) return undefined
  const snake = snakeOf(name)
  if (snake !== undefined && has(snake) && !isNamespace(snake)) return snake
  const fitting = (byName.get(name) ?? byName.get(snake ?? '') ?? []).filter(has)
  return fitting.length === 1 ? fitting[0] : undefined
}

/**
 * Converts a value from the name by which it was given to the argument that this name stands for. Digits that are a
 * name there, but would be an id here, get the sign of such names in texts (names/flagged.ts): `milestone="2"` becomes
 * `%"2"`. What is to be deleted is named as it is.
 * @param schema of that argument
 */
export function asNamed(
  given: string,
  own: string,
  value: unknown,
  { namedIn, toDelete = false }: ArgumentSchema
): unknown {
  const isNameOrId = /_ids?$/.test(own) || (namedIn === 'label' && !toDelete)
  if (given === own || !isNameOrId) return value
  const sign = ownValue(titleNames, snakeOf(given) ?? given)
  return sign === undefined ? value : signed(sign, value)
}

/** Lists contain no lists. A longer text is not a list of names. */
const MAX_LIST_CHARS = 2_000

function signed(sign: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(one => (Array.isArray(one) ? one : signed(sign, one)))
  if (typeof value !== 'number' && typeof value !== 'string') return value
  const text = String(value)
  // A list written as JSON is parsed as such, with its digits unchanged.
  if (text.length > MAX_LIST_CHARS || text.includes('[')) return value
  return text.replace(/(?<=^|,)\s*(\d{1,15})\s*(?=,|$)/g, (all, digits: string) =>
    // 0 removes the milestone.
    Number(digits) === 0 ? all : sign === '@' ? `@${digits}` : `${sign}"${digits}"`
  )
}
