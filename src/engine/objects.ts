import { anySha } from './requests/sha.ts'
import type { ToolRow } from './rows/row.ts'

type Naming = readonly (readonly [argument: RegExp, value: RegExp])[]

/**
 * Arguments that name an object of a project, with the pattern of their values: a number, a commit, or another project.
 */
const naming: Naming = [
  [/^(?:to_project|target_project_id|start_project)$/, /^[\w.%/-]{1,200}$/],
  [/(?:^|_)iid$/, /^\d{1,20}$/],
  [/^(?!(?:project|group)_id$)(?:\w+_)?id$/, /^(?:\d{1,20}|[0-9a-f]{40})$/],
  [/(?:^|_)sha$/, anySha],
  [/^suggestion_ids$/, /^\d{1,20}$/]
]

/** Arguments that name an object that has no number. */
const called: Naming = [
  [/^(?:branch|environment_scope|key|label|name|ref|slug|tag_name)$/, /^[^\p{C}]{1,200}$/u]
]

/**
 * The arguments of a tool that name an object, each with the pattern of its value and, in a tool for several things,
 * the argument that contains them.
 */
export type ObjectArguments = readonly (readonly [name: string, value: RegExp, within?: string])[]

/** @param names of all arguments */
export function objectArguments(names: readonly string[], row: ToolRow): ObjectArguments {
  const known = row.class === 'read' ? naming : [...naming, ...called]
  const shapeOf = (name: string) => known.find(([argument]) => argument.test(name))?.[1]
  const places = names.map(name => [name, undefined] as const)
  const all = row.kind === 'several' ? [...places, [row.by, row.argument] as const] : places
  const found = all.flatMap(([name, within]) => {
    const value = shapeOf(name)
    return value === undefined ? [] : [[name, value, within] as const]
  })
  // Beside a number or a tag, `name` is a title, which counts as content.
  const others = found.filter(([name]) => name !== 'name')
  return others.length > 0 ? others : found
}
