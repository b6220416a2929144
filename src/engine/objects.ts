import type { ToolClass } from '../catalog/row.ts'

type Naming = readonly (readonly [argument: RegExp, value: RegExp])[]

/** What an argument that names an object of a project looks like: a number, or a commit. */
const naming: Naming = [
  [/(?:^|_)iid$/, /^\d{1,20}$/],
  [/^(?!(?:project|group)_id$)(?:\w+_)?id$/, /^(?:\d{1,20}|[0-9a-f]{40})$/],
  [/(?:^|_)sha$/, /^[0-9a-f]{7,64}$/i]
]

/** What is destroyed has no number, and no forge can be asked for it afterwards. */
const destroyed: Naming = [[/^(?:branch|key|label|name|slug|tag_name)$/, /^[^\p{C}]{1,200}$/u]]

/** The arguments of a tool that name an object, each with what its value looks like. */
export type ObjectArguments = readonly (readonly [name: string, value: RegExp])[]

/** @param names of all arguments @param of the class of their tool */
export function objectArguments(names: readonly string[], of: ToolClass): ObjectArguments {
  const known = of === 'destructive' ? [...naming, ...destroyed] : naming
  return names.flatMap(name => {
    const value = known.find(([argument]) => argument.test(name))?.[1]
    return value === undefined ? [] : [[name, value] as const]
  })
}
