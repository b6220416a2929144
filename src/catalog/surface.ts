import { isDeepStrictEqual } from 'node:util'
import { fromJson } from '../engine/meant.ts'
import { fieldsOf, isRecord } from '../results/is-record.ts'
import { quotedName } from '../results/visible.ts'
import type { ToolClass } from './row.ts'

/*
 * The small surface: in place of the catalog a client is listed one tool that finds tools and one for each class that
 * calls them. What is called is the real tool: policy, hints, audit and metrics know it by its own name.
 */

/** What of the catalog is listed: all that is switched on, or a search over it. */
export type Surface = 'full' | 'search'

/** The calling tools, each honest in its hints about what may be called through it. */
export const callers = new Map<string, ToolClass>([
  ['call_read_tool', 'read'],
  ['call_write_tool', 'write'],
  ['call_destructive_tool', 'destructive']
])

/** Through which of them a tool of a class is called. */
export const callerOf: ReadonlyMap<ToolClass, string> = new Map([...callers].map(([name, of]) => [of, name]))

/** A tool as it was meant to be called. */
export interface Target {
  readonly name: string
  readonly args: unknown
  /** What cannot be told of its arguments, in words for the caller. */
  readonly problem?: string
}

/** The tool that a call is about: its own, or the one that a calling tool names, where it names one. */
export function targetOf(name: string, args: unknown): Target {
  // Nearly all calls are of a tool by its own name.
  if (!callers.has(name)) return { name, args }
  const { name: inner, arguments: given, ...beside } = fieldsOf(args)
  if (typeof inner !== 'string' || inner === '' || callers.has(inner)) return { name, args }
  return { name: inner, ...meantArguments(given, beside) }
}

/** What models call `arguments`. */
const otherNames = new Set(['args', 'input', 'parameters', 'params'])

/** Models send the arguments as JSON text at times, under another name, or beside the name of the tool: all or some. */
function meantArguments(given: unknown, beside: Readonly<Record<string, unknown>>): Omit<Target, 'name'> {
  if (given === undefined || given === null) {
    const [only, ...others] = Object.keys(beside)
    if (only === undefined) return { args: undefined }
    return others.length === 0 && otherNames.has(only)
      ? meantArguments(beside[only] ?? {}, {})
      : { args: beside }
  }
  const args = typeof given === 'string' ? (fromJson(given) ?? given) : given
  return isRecord(args) ? joined(args, beside) : { args }
}

/** What is null is not given. */
function joined(given: Readonly<Record<string, unknown>>, beside: Readonly<Record<string, unknown>>) {
  const more = Object.entries(beside).filter(([, value]) => value !== null)
  if (more.length === 0) return { args: given }
  const own = (name: string) => (Object.hasOwn(given, name) ? (given[name] ?? undefined) : undefined)
  const twice = more.find(([name, value]) => own(name) !== undefined && !isDeepStrictEqual(own(name), value))
  if (twice === undefined) return { args: { ...given, ...Object.fromEntries(more) } }
  return {
    args: given,
    problem: `Invalid arguments: ${quotedName(twice[0])} stands in arguments and, with another value, beside them: give it once.`
  }
}

/** Why a tool of a class is not to be called through a calling tool; undefined where it is. */
export function throughWrong(caller: string, name: string, of: ToolClass): string | undefined {
  const through = callers.get(caller)
  if (through === undefined || through === of) return undefined
  return `${name} is a ${of} tool: call it through ${callerOf.get(of)}.`
}
