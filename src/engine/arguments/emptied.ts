import { recordsIn } from '../../results/is-record.ts'
import { isNamespace } from '../requests/template.ts'
import type { ToolRow } from '../rows/row.ts'
import { argumentsOf } from './argument-flags.ts'
import type { Absent } from './arguments.ts'
import type { Arguments } from './values.ts'

/**
 * Says of what was given, and counts as absent, what came of it, as sentences.
 * @param args as read, with the default project where it stands in
 */
type Remark = (absent: Absent, args: Arguments) => readonly string[]

/**
 * Prepares the remark of a change on what it takes none for, and that was given as null, or as an empty text where that
 * is not none; of a list on its filters that were empty; of another read on what it looked at instead of an empty text.
 * Such a value counts as not given, because models fill in arguments they mean to omit, although the forge's own API would
 * clear the field, and a filter that is lost gives everything.
 * @returns undefined for a tool that has nothing of these
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

/** Of what is made there is nothing to guard, and what is edited is read for it. */
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

/** What says which part of a list is shown, and in which order, and leaves nothing out. */
const showing: ReadonlySet<string> = new Set(['page', 'per_page', 'page_token', 'first', 'order_by', 'sort'])

function emptiedFilters({ input }: ToolRow): Remark | undefined {
  const isList = 'per_page' in input.properties || 'first' in input.properties
  if (!isList) return undefined
  // Where pages are counted, what is called so is a date.
  const isCursor = (name: string) => name === 'after' && 'first' in input.properties
  const isFilter = (name: string) => !showing.has(name) && !isCursor(name)
  return ({ emptied }, args) => {
    // Beside a place that is given, or the default, one that is left out is nothing more; with none the list is of all.
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
    const { type, none, quickActions, neverEmpty } = properties.get(name) ?? {}
    if (/^(?:add|remove)_/.test(name)) return undefined
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

/** Whether a tool changes what is there. */
export const changes = (row: ToolRow): boolean =>
  (row.kind === 'rest' && [row.request].flat().some(request => request.startsWith('PUT '))) ||
  (row.kind === 'graphql' && row.class === 'write' && row.idempotent === true)
