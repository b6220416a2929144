import { isDeepStrictEqual } from 'node:util'
import { JsonTexts } from '../../engine/arguments/json-texts.ts'
import { otherNamesOfAll } from '../../engine/arguments/other-names.ts'
import { fieldsOf, isRecord } from '../../results/is-record.ts'
import type { ToolClass } from '../../results/tool-class.ts'
import { quotedName } from '../../results/visible.ts'

/*
 * The small surface: instead of the catalog, clients are listed one tool that finds tools, and for each class of tools
 * one that calls them. Policy, audit and metrics see the tool that is called, by its own name.
 */

/** What is listed: all active tools, or a search over them. */
export type Surface = 'full' | 'search'

/** The calling tools. The hints of each hold for all tools that can be called through it. */
const callers = new Map<string, ToolClass>([
  ['call_read_tool', 'read'],
  ['call_write_tool', 'write'],
  ['call_destructive_tool', 'destructive']
])

/** The calling tool for each class of tools. */
export const callerOf: ReadonlyMap<ToolClass, string> = new Map([...callers].map(([name, of]) => [of, name]))

/** The tool that a call is actually for. */
interface Target {
  readonly name: string
  readonly args: unknown
  /** Why its arguments cannot be read, as a sentence for the caller. */
  readonly problem?: string
}

/** The tool that a call is for: the one called, or the one that the arguments of a calling tool name. */
export function targetOf(name: string, args: unknown): Target {
  // Nearly all calls name the tool itself.
  if (!callers.has(name)) return { name, args }
  const { name: inner, arguments: given, ...beside } = fieldsOf(args)
  if (typeof inner !== 'string' || inner === '' || callers.has(inner)) return { name, args }
  return { name: inner, ...meantArguments(given, beside) }
}

/** Reads the arguments. Models may send them as JSON text, under another name, or partly beside the tool's name. */
function meantArguments(given: unknown, beside: Readonly<Record<string, unknown>>): Omit<Target, 'name'> {
  if (given === undefined || given === null) {
    const [only, ...others] = Object.keys(beside)
    if (only === undefined) return { args: undefined }
    return others.length === 0 && otherNamesOfAll.has(only)
      ? meantArguments(beside[only] ?? {}, {})
      : { args: beside }
  }
  const args = typeof given === 'string' ? (new JsonTexts().read(given) ?? given) : given
  return isRecord(args) ? joined(args, beside) : { args }
}

/** Null counts as not given. */
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

/** Why a tool of a class cannot be called through a calling tool; undefined if it can. */
export function throughWrong(caller: string, name: string, of: ToolClass): string | undefined {
  const through = callers.get(caller)
  if (through === undefined || through === of) return undefined
  return `${name} is a ${of} tool: call it through ${callerOf.get(of)}.`
}
