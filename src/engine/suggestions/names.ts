import { didYouMean, exactly, sameLooking } from '../../results/unseen-in-names.ts'
import { quoted } from '../../results/visible.ts'
import type { ForgeClient } from '../../upstream/client.ts'
import { guessOf } from '../arguments/problems.ts'
import { nameFolder } from '../arguments/same-name.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { PAGE } from '../requests/pages.ts'
import { requestTo } from '../requests/template.ts'
import { FEW, isThere, listed, page, sentence, textsOf } from './listed.ts'
import { slipOf } from './slips.ts'

/* Suggests branches, tags, releases and labels. */

/** Prefixes that branches and tags of the forge have in a clone. */
const asInClone = /^(?:refs\/(?:heads|tags|remotes\/origin)|origin)\//
/** A name without what says how many commits before it (`~3`, `^2~1`): no name has these signs. */
function withoutSteps(name: string): string {
  let start = name.length
  while (start > 0 && /[~^\d]/.test(name[start - 1]!)) start--
  const first = name.slice(start).search(/[~^]/)
  return first < 0 ? name : name.slice(0, start + first)
}

/**
 * Suggests which of some branches was meant, also if it was named as in a clone: branches whose name begins or ends
 * with the given one, otherwise the nearest.
 */
export function branchLike(name: string, names: readonly string[]): string | undefined {
  const wanted = name.replace(asInClone, '')
  const longer = names.filter(name => name.startsWith(wanted) || name.endsWith(`/${wanted}`)).slice(0, FEW)
  return longer.length > 0 && sameLooking(wanted, names) === undefined
    ? didYouMean(longer)
    : guessOf(wanted, names)
}

/** The tags that are the same version as a name, or begin with it: `1.4` is `v1.4.0`. */
function versionsLike(name: string, names: readonly string[]): readonly string[] {
  const folded = nameFolder()
  const versionOf = (text: string) => folded(text).replace(/^v(?=\d)/, '')
  const version = versionOf(name.replace(asInClone, ''))
  const others = names.map(other => ({ other, is: versionOf(other) }))
  const alike = others.filter(({ is }) => is === version)
  const longer = others.filter(({ is }) => is.startsWith(`${version}.`))
  return [...alike, ...longer].slice(0, FEW).map(({ other }) => other)
}

/** Suggests which of some tags was meant. */
function tagLike(name: string, names: readonly string[]): string | undefined {
  const found = versionsLike(name, names)
  return found.length > 0 ? didYouMean(found) : guessOf(name.replace(asInClone, ''), names)
}

/** Where names are looked for, and what of it may be. */
export type NearContext = Pick<ToolContext, 'forge' | 'mayRun'>

/**
 * Suggests the branch that was meant by a name that does not exist, or the tag; also for one end of a range.
 * @param argument that has the name: what is called a branch is no tag
 */
export async function nearBranch(
  name: string,
  args: Arguments,
  place: NearContext,
  argument: string
): Promise<string | undefined> {
  const { forge } = place
  const ends = name.split(/\.{2,3}/)
  if (ends.length > 1) return nearEnd(ends.slice(0, 2), args, place, argument)
  if (/^!\d+$/.test(name))
    return `${quoted(name)} is a merge request: of it a commit is its merge_commit_sha, a branch its source_branch.`
  const from = withoutSteps(name)
  const isBefore = from !== name && from !== ''
  if (!isBefore && /^(?:HEAD\b.*|[0-9a-f]{7,64})$/i.test(name)) return undefined
  // Then another argument names what is missing.
  if (await isRevision(name, args, forge)) return undefined
  if (isBefore) return (await nearBranch(from, args, place, argument)) ?? asAncestor(from, place)
  const branches = await branchesFor(name, args, forge)
  if (branches.length === 0)
    return 'The repository has no branches: where it is empty, commit_files makes the first commit, on the default branch.'
  const guess = branchLike(name, textsOf(branches, 'name'))
  const main = branches.find(branch => branch.default === true)?.name
  if (guess !== undefined) return `There is no ${exactly(name)}: ${guess}`
  const mayBeTag = !argument.includes('branch') && place.mayRun('list_tags')
  const tag = mayBeTag ? tagLike(name, await tagNames(args, forge)) : undefined
  if (tag !== undefined) return `There is no ${exactly(name)}: ${tag}`
  if (typeof main !== 'string') return undefined
  const tags = mayBeTag ? '; list_tags has the tags' : ''
  return `There is no ${exactly(name)}; the default branch is ${quoted(main)}${tags}.`
}

const asAncestor = (from: string, place: NearContext): string | undefined =>
  place.mayRun('list_commits')
    ? `list_commits with ref=${quoted(from)} has the commits before it: give the SHA of one.`
    : undefined

/** The branches of a first page. If it is full, the name itself is searched for, too. */
async function branchesFor(name: string, args: Arguments, forge: Pick<ForgeClient, 'send'>) {
  const first = await listed('repository/branches', args, page, forge)
  if (first.length < PAGE) return first
  return [...first, ...(await listed('repository/branches', args, { ...page, search: name }, forge))]
}

/**
 * Suggests which branch was meant by a name that none has.
 * @returns undefined if one has it
 * @throws what ForgeClient.send throws
 */
export async function branchMeant(
  name: string,
  args: Arguments,
  forge: Pick<ForgeClient, 'send'>
): Promise<string | undefined> {
  const names = textsOf(await branchesFor(name, args, forge), 'name')
  if (names.includes(name)) return undefined
  return branchLike(name, names) ?? 'list_branches has those there are.'
}

/** The tags of a first page. */
const tagNames = async (args: Arguments, forge: ForgeClient): Promise<readonly string[]> =>
  textsOf(await listed('repository/tags', args, page, forge), 'name')

/** Whether a branch, tag or commit has that name; true if the forge does not say. */
export const isRevision = (sha: string, args: Arguments, forge: ForgeClient): Promise<boolean> =>
  isThere(requestTo('GET {PG}/repository/commits/{.sha}', { ...args, sha }), forge)

/** Suggests which branch or tag was meant. @throws what ForgeClient.send throws */
export async function revisionLike(
  name: string,
  args: Arguments,
  context: Pick<ToolContext, 'forge' | 'mayRun'>
): Promise<string | undefined> {
  const lists = ['branches', ...(context.mayRun('list_tags') ? ['tags'] : [])]
  const [branches, tags = []] = await Promise.all(
    lists.map(async list => textsOf(await listed(`repository/${list}`, args, page, context.forge), 'name'))
  )
  return branchLike(name, [...branches!, ...tags]) ?? tagLike(name, tags)
}

/** Suggests a name for the end of a range that does not exist: the forge does not say which one it is. */
async function nearEnd(
  ends: readonly string[],
  args: Arguments,
  place: NearContext,
  argument: string
): Promise<string | undefined> {
  for (const end of ends.filter(end => end !== '')) {
    const near = await nearBranch(end, args, place, argument)
    if (near !== undefined) return near
  }
  return undefined
}

/** Suggests a tag for a name that none has. @param like gives the suggestion, out of the names there are */
const nearTagBy =
  (like: (name: string, names: readonly string[]) => string | undefined) =>
  async (name: string, args: Arguments, forge: ForgeClient): Promise<string | undefined> => {
    const names = await tagNames(args, forge)
    const guess = names.includes(name) ? undefined : like(name, names)
    return guess && sentence(guess)
  }

/** Suggests the tag that was meant by a name that does not exist. */
export const nearTag = nearTagBy(tagLike)

/** Suggests the tag that was meant by one that is to be made: only the same version, or a slip in typing it. */
export const nearNewTag = nearTagBy((name, names) => {
  const [same = slipOf(name, names)] = versionsLike(name, names)
  return same && didYouMean([same], name)
})

/**
 * Names the tag of that name if it has no release; else says that there is none, and names the release that was meant,
 * or such a tag of the same version.
 */
export async function nearRelease(
  name: string,
  args: Arguments,
  forge: ForgeClient
): Promise<string | undefined> {
  const [releases, tags] = await Promise.all([
    listed('releases', args, page, forge),
    listed('repository/tags', args, page, forge)
  ])
  const released = textsOf(releases, 'tag_name')
  // The release exists, and something else is missing.
  if (released.includes(name)) return undefined
  const wanted = name.replace(asInClone, '')
  const names = textsOf(tags, 'name')
  const unreleased = (tag: string) =>
    `The tag ${exactly(tag)} is there, and has no release: create_release makes one.`
  if (names.includes(wanted)) return unreleased(wanted)
  const none = names.length < PAGE ? `There is no tag ${exactly(wanted)}.` : undefined
  const guess = guessOf(wanted, released)
  const [tag = slipOf(wanted, names)] = versionsLike(wanted, names)
  const meant = guess === undefined ? tag && unreleased(tag) : sentence(guess)
  return [none, meant].filter(said => said !== undefined).join(' ') || undefined
}

/** Whether the caller can see that project; true if the forge does not say. */
export const isProject = (project_id: string, forge: ForgeClient): Promise<boolean> =>
  isThere(requestTo('GET /projects/{project_id}', { project_id }), forge)

/** Whether a project has the issue that an argument names; of `target_issue_iid` it is that of `target_project_id`. */
export const isIssue = (argument: string, args: Arguments, forge: ForgeClient): Promise<boolean> => {
  const project_id = args[argument.replace('issue_iid', 'project_id')] ?? args.project_id
  return isThere(
    requestTo('GET /projects/{project_id}/issues/{issue_iid}', { project_id, issue_iid: args[argument] }),
    forge
  )
}

/** Suggests the label that was meant by a name that does not exist. */
export async function nearLabel(
  name: string,
  args: Arguments,
  forge: ForgeClient
): Promise<string | undefined> {
  const names = textsOf(await listed('labels', args, page, forge), 'name')
  const guess = names.includes(name) ? undefined : guessOf(name, names)
  return guess && sentence(guess)
}
