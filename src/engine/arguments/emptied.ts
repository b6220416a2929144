import { recordsIn } from '../../results/is-record.ts'
import { isNamespace } from '../requests/template.ts'
import type { ToolRow } from '../rows/row.ts'
import { argumentsOf } from './argument-flags.ts'
import type { Absent } from './arguments.ts'
import type { Arguments } from './values.ts'

/**
 * Describes in sentences what happened to arguments that were given, but count as absent.
 * @param args as read, with the default project if it is used
 */
type Remark = (absent: Absent, args: Arguments) => readonly string[]

/**
 * Prepares the remark on values that count as absent: for a change, fields given as null, or as an empty text where
 * that does not clear them; for a list, empty filters; for another read, an empty source, with the source used instead.
 * Such values count as absent because models fill in arguments they mean to omit. But the forge's own API would clear
 * the field, and a missing filter returns everything.
 * @returns undefined for a tool that has no such arguments
 */
export const emptiedStep = (row: ToolRow): Remark | undefined =>
  row.class === 'read'
    ? (emptiedFilters(row) ?? emptiedSource(row))
    : (emptiedFields(row) ?? emptiedGuards(row))

function emptiedSource({ input }: ToolRow): Remark | undefined {
  const properties = argumentsOf(input)
  const done = Object.entries(properties).find(([, { without }]) => without !== undefined)
  if (done === undefined) return undefined
  const [name, { without }] = done
  return ({ emptied }) =>
    emptied.includes(name) ? [`${name} was empty, which counts as not given: ${without}.`] : []
}

/** An action that creates has nothing to guard, and one that edits reads the file anyway. */
const unguarded: ReadonlySet<unknown> = new Set(['create', 'edit'])

function emptiedGuards({ input }: ToolRow): Remark | undefined {
  const guards = Object.entries(argumentsOf(input)).flatMap(([list, { items = {} }]) =>
    Object.entries(argumentsOf(items)).flatMap(([name, { without }]) =>
      without === undefined ? [] : [{ list, name, without }]
    )
  )
  const [guard] = guards
  if (guard === undefined) return undefined
  const { list, name, without } = guard
  return ({ emptied }, args) => {
    const of = recordsIn(args[list])
    const first = of.findIndex(
      ({ action }, at) => !unguarded.has(action) && emptied.includes(`${list}.${at}.${name}`)
    )
    return first < 0 ? [] : [`${list}.${first}.${name} was empty, which counts as not given: ${without}.`]
  }
}

/** Arguments that choose a part of a list and its order, without leaving anything out. */
const showing: ReadonlySet<string> = new Set(['page', 'per_page', 'page_token', 'first', 'order_by', 'sort'])

function emptiedFilters({ input }: ToolRow): Remark | undefined {
  const isList = 'per_page' in input.properties || 'first' in input.properties
  if (!isList) return undefined
  // If pages are counted, `after` is a date.
  const isCursor = (name: string) => name === 'after' && 'first' in input.properties
  const isFilter = (name: string) => !showing.has(name) && !isCursor(name)
  return ({ emptied }, args) => {
    // If a place is given or is the default, another empty one makes no difference; without any, the list is of
    // everything.
    const isSomewhere = Object.keys(args).some(name => isNamespace(name) && args[name] !== undefined)
    const isTold = (name: string) => isFilter(name) && !(isSomewhere && isNamespace(name))
    const names = emptied.filter(name => isTold(name) && !name.includes('.'))
    if (names.length === 0) return []
    const [were, filter] = names.length === 1 ? ['was', 'filters'] : ['were', 'filter']
    return [`${names.join(', ').replace(/, (?=[^,]*$)/, ' and ')} ${were} empty and ${filter} nothing.`]
  }
}

function emptiedFields(row: ToolRow): Remark | undefined {
  const [of, within] = row.kind === 'several' ? [row.of, row.argument] : [row, undefined]
  if (!changes(of)) return undefined
  const properties = new Map(Object.entries(argumentsOf(of.input)))
  const noneOf = (name: string): string | undefined => {
    const { type, items, none, quickActions, neverEmpty } = properties.get(name) ?? {}
    if (/^(?:add|remove)_/.test(name)) return undefined
    // A list of objects says what to do with each: none of them is no change.
    if (type === 'array' && items?.type === 'object') return none
    if (none !== undefined || type === 'array') return none ?? '[]'
    return quickActions === undefined || neverEmpty ? undefined : '""'
  }
  const told = (what: string) => (place: string) => {
    const [name = '', ...parts] = place.split('.').reverse()
    const isOfThing = within === undefined ? parts.length === 0 : parts.length === 2 && parts[1] === within
    const none = isOfThing ? noneOf(name) : undefined
    if (none === undefined) return []
    const thing = place.slice(0, -name.length - 1)
    return [`${thing && `${thing}: `}${name} is as it was: ${what} counts as not given, ${none} is for none.`]
  }
  return ({ emptied, nulls }) => [...emptied.flatMap(told('empty text')), ...nulls.flatMap(told('null'))]
}

/** Whether a tool changes something that exists. */
export const changes = (row: ToolRow): boolean =>
  (row.kind === 'rest' && [row.request].flat().some(request => request.startsWith('PUT '))) ||
  (row.kind === 'graphql' && row.class === 'write' && row.idempotent === true)
