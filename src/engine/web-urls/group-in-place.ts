import { ArgumentError } from '../../results/problem.ts'
import { quotedName } from '../../results/visible.ts'
import type { OwnArguments } from '../arguments/values.ts'
import { type Owner, placeIn } from './owner.ts'
import type { WebUrl } from './web-url.ts'

/** Whether an argument names a project, and no group or namespace. */
export const isOfProject = (name: string): boolean => /project/.test(name)

/**
 * Handles the address of a group that is given for a project. A tool that reads, and that also takes a group, reads
 * the group.
 * @param path of the group @param args changed: the group is moved to its own argument
 * @throws ArgumentError if the tool needs a project, if it changes something, or if another group is given too
 */
export function putGroup(name: string, path: string, args: OwnArguments, mayBeGroup: boolean): void {
  if (name !== 'project_id' || !mayBeGroup || (args.group_id ?? null) !== null)
    throw new ArgumentError(
      name,
      `is the address of group ${quotedName(path)}: give it as group_id where a tool takes one`
    )
  delete args[name]
  args.group_id = path
}

/**
 * Sets the argument that names a project or group to the project or group of an address. @throws ArgumentError as
 * above
 */
export function putPlace(
  { name, given, address }: { readonly name: string; readonly given: string; readonly address: WebUrl },
  args: OwnArguments,
  mayBeGroup: boolean
): void {
  const { owner } = address
  if (owner === undefined) return
  const path = placeOf(given, address, owner)
  if (isOfProject(name) && 'group_path' in owner) putGroup(name, path, args, mayBeGroup)
  else args[name] = path
}

/**
 * @throws ArgumentError if the item is of another place than the page, as gateways enforce policy by the page's place
 */
function placeOf(given: string, { isElsewhere, fields, kind }: WebUrl, owner: Owner): string {
  const [place, path] = placeIn(owner)
  if (isElsewhere !== true) return path
  const number = fields.issue_iid ?? fields.iid
  throw new ArgumentError(
    given,
    `shows ${kind.replaceAll('_', ' ')} ${number} of ${quotedName(path)}: give that as ${place}, and the number`
  )
}
