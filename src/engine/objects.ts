import type { ToolRow } from '../catalog/row.ts'

type Naming = readonly (readonly [argument: RegExp, value: RegExp])[]

/** What an argument that names an object of a project looks like: a number, a commit, or another project. */
const naming: Naming = [
  [/^(?:to_project|target_project_id|start_project)$/, /^[\w.%/-]{1,200}$/],
  [/(?:^|_)iid$/, /^\d{1,20}$/],
  [/^(?!(?:project|group)_id$)(?:\w+_)?id$/, /^(?:\d{1,20}|[0-9a-f]{40})$/],
  [/(?:^|_)sha$/, /^[0-9a-f]{7,64}$/i],
  [/^suggestion_ids$/, /^\d{1,20}$/]
]

/** What is destroyed has no number, and no forge can be asked for it afterwards. */
const destroyed: Naming = [[/^(?:branch|key|label|name|slug|tag_name)$/, /^[^\p{C}]{1,200}$/u]]

/**
 * The arguments of a tool that name an object, each with the pattern of its value and, in a tool for several things,
 * the argument that contains them.
 */
export type ObjectArguments = readonly (readonly [name: string, value: RegExp, within?: string])[]

/** @param names of all arguments */
export function objectArguments(names: readonly string[], row: ToolRow): ObjectArguments {
  const known = row.class === 'destructive' ? [...naming, ...destroyed] : naming
  const shapeOf = (name: string) => known.find(([argument]) => argument.test(name))?.[1]
  const places = names.map(name => [name, undefined] as const)
  const all = row.kind === 'several' ? [...places, [row.by, row.argument] as const] : places
  return all.flatMap(([name, within]) => {
    const value = shapeOf(name)
    return value === undefined ? [] : [[name, value, within] as const]
  })
}
