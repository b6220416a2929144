import type { ForgeClient } from '../upstream/forge.ts'
import type { Arguments } from './checks.ts'
import { CallProblem } from './problem.ts'
import { fillTemplate, parseTemplate, type Template } from './template.ts'

/** How a missing placeholder is found by asking the forge, as data. */
export interface Lookup {
  /** The argument to fill. */
  readonly fill: string
  /** The argument it is found by. */
  readonly by: string
  /** Lists to ask in turn, each a template plus fixed query; the first record of the first non-empty one counts. */
  readonly lists: readonly LookupList[]
  /** The field of the record that fills the argument. */
  readonly field: string
  /** The thing looked for, in messages. */
  readonly noun: string
}

interface LookupList {
  readonly request: string
  readonly query: Readonly<Record<string, string>>
  /** Said of a record that this list gave. */
  readonly remark?: string
}

/** @returns which record was chosen, in words, when it had to be looked up */
export type LookupStep = (args: Record<string, unknown>, forge: ForgeClient) => Promise<string | undefined>

/** Prepares a lookup once. @returns a step that completes the arguments, or throws CallProblem */
export function lookupStep(lookup: Lookup): LookupStep {
  const lists = lookup.lists.map(({ request, ...list }) => ({ template: parseTemplate(request), ...list }))
  return async (args, forge) => {
    if (args[lookup.fill] !== undefined) return undefined
    const wanted = args[lookup.by]
    // A forge takes an empty filter for none and would give just any record.
    if (wanted === undefined || wanted === '')
      throw new CallProblem(`Invalid arguments: give ${lookup.fill} or ${lookup.by}.`)
    for (const { template, query, remark } of lists) {
      const found = await first(template, query, args, lookup, forge)
      if (found !== undefined) {
        args[lookup.fill] = String(found)
        const chosen = `${lookup.by} ${JSON.stringify(wanted)} is ${lookup.noun} ${found}.`
        return remark === undefined ? chosen : `${chosen} ${remark}`
      }
    }
    throw new CallProblem(`No ${lookup.noun} has ${lookup.by} ${JSON.stringify(wanted)}. Nothing was done.`)
  }
}

async function first(
  template: Template,
  query: Readonly<Record<string, string>>,
  args: Arguments,
  lookup: Lookup,
  forge: ForgeClient
): Promise<unknown> {
  const search = new URLSearchParams({ ...query, [lookup.by]: String(args[lookup.by]) })
  const path = `${fillTemplate(template, args)}?${search}`
  const { value } = await forge.send({ method: 'GET', path, template: template.path })
  const records = Array.isArray(value) ? (value as Record<string, unknown>[]) : []
  return records.find(record => [undefined, args[lookup.by]].includes(record?.[lookup.by]))?.[lookup.field]
}
