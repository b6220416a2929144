import { ArgumentError } from '../../results/problem.ts'
import { quotedName } from '../../results/visible.ts'
import { changes } from '../arguments/emptied.ts'
import type { Arguments } from '../arguments/values.ts'
import { isNamespace, parseTemplates } from '../requests/template.ts'
import type { ToolRow } from '../rows/row.ts'
import { plainName } from './contradiction.ts'
import { type Offer, thingOf } from './said.ts'
import type { WebUrl } from './web-url.ts'

/*
 * The address of something in a project or group, given as that project or group to a tool that destroys something
 * else there or changes all of it. For example, "take this label off that issue" would delete the label.
 */

/**
 * The names in the paths of a tool's requests, except the project or group; undefined if one of the paths has no
 * names.
 */
function namedIn(row: ToolRow): readonly string[] | undefined {
  if (row.kind !== 'rest') return undefined
  const paths = [row.request].flat().flatMap(parseTemplates)
  if (paths.some(({ names }) => names.length === 0)) return undefined
  return paths.flatMap(({ names }) => names).filter(name => !isNamespace(name))
}

/** Arguments that name a branch or tag. The address of a page has it as `ref`. */
const ofRef = /^(?:branch|tag_name|name)$/

/** The noun of a tool, after its verb: `label` of delete_label, `labels` of list_labels. */
const nounOf = (tool: string): string => tool.split('_')[1] ?? ''

/** Kinds of things that have a tool which changes one of them. */
const changed = /^(?:issue|merge_request|work_item|milestone|release|wiki_page|snippet|pipeline_schedule)$/

/** Pages that show a project's issues, besides the list of issues; newer forges list them as work items. */
const showsIssues = /^(?:work_items|board)$/

/**
 * Whether an address names only a branch of its project. The name may contain slashes, and then looks like a folder.
 */
const isBranchShown = ({ kind, fields, unclear }: WebUrl): boolean =>
  kind === 'directory' && (unclear !== undefined || fields.path === undefined)

/**
 * Prepares the refusal of addresses that name another thing than the tool acts on, given for its project or group. The
 * address of the thing itself is allowed, as is that of a list or board of such things, and of the branch shown on a
 * project's page.
 * @returns undefined for a tool that neither destroys something nor changes a whole project or group; otherwise a
 *   function (given, address, fields, args, asked) that throws ArgumentError. `given` is the argument with the
 *   address; `fields` are the fields of the address that the tool has arguments for, by name; `asked` knows which
 *   tools the caller may run
 */
export function withinStep(
  row: ToolRow
):
  | ((
      given: string,
      address: WebUrl,
      fields: ReadonlyMap<string, unknown>,
      args: Arguments,
      asked: Offer
    ) => void)
  | undefined {
  const named = namedIn(row)
  const isOfPlace = named?.length === 0
  if (row.class !== 'destructive' && !(isOfPlace && changes(row))) return undefined
  const [first = ''] = named ?? []
  const nouns = [nounOf(row.name), ...(row.input.required ?? []).map(name => name.split('_')[0]!)]
  const isOwn = (address: WebUrl, fields: ReadonlyMap<string, unknown>, args: Arguments): boolean => {
    const { tool, kind, fields: all } = address
    if (first === 'issue_iid' && showsIssues.test(kind)) return true
    if (Object.keys(all).length === 0) return isOfPlace || nouns.some(noun => nounOf(tool).startsWith(noun))
    if (fields.has(first) || (first === 'milestone_id' && all.milestone_iid !== undefined)) return true
    if (!ofRef.test(first)) return isBranchShown(address)
    const given = args[first] ?? ''
    return (
      /^(?:directory|commits)$/.test(kind) && (given === '' || plainName(String(given)) === wholeRef(address))
    )
  }
  return (given, address, fields, args, asked) => {
    const { owner, kind } = address
    if (owner === undefined || isOwn(address, fields, args)) return
    const [noun, path] =
      'project_path' in owner ? ['project', owner.project_path] : ['group', owner.group_path]
    const change = `update_${kind}`
    const orChange = !isOfPlace && changed.test(kind) && asked.mayRun(change) ? ` ${change} changes it;` : ''
    const how = isNamespace(given) ? `give ${quotedName(path)}` : `leave ${given} out`
    const what = isOfPlace ? `the ${noun} itself` : `what else ${row.name} is for in the ${noun}`
    throw new ArgumentError(given, `is ${thingOf(address, asked)}:${orChange} for ${what} ${how}`)
  }
}

/** The ref of an address joined with the path after it: the name of a branch that contains slashes. */
function wholeRef({ fields: { ref, path }, unclear }: WebUrl): string {
  return plainName((unclear ?? [ref, path].filter(part => part !== undefined)).join('/'))
}
