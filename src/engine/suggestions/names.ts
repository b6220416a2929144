import { didYouMean, exactly, sameLooking } from '../../results/unseen-in-names.ts'
import { quoted } from '../../results/visible.ts'
import type { ForgeClient } from '../../upstream/client.ts'
import { guessOf } from '../arguments/problems.ts'
import { nameFolder } from '../arguments/same-name.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { PAGE } from '../requests/pages.ts'
import { requestTo } from '../requests/template.ts'
import { branchOfFork } from './fork-branch.ts'
import { isThere, listed, MAX_LISTED, page, sentence, textsOf } from './listed.ts'
import { slipOf } from './slips.ts'

/* Suggests branches, tags, releases and labels. */

/** Prefixes of the forge's branches and tags in a clone. */
const asInClone = /^(?:refs\/(?:heads|tags|remotes\/origin)|origin)\//
/** A name without a suffix for its ancestors (`~3`, `^2~1`): no name of a branch or tag contains these signs. */
function withoutSteps(name: string): string {
  let start = name.length
  while (start > 0 && /[~^\d]/.test(name[start - 1]!)) start--
  const first = name.slice(start).search(/[~^]/)
  return first < 0 ? name : name.slice(0, start + first)
}

/**
 * Suggests one or more of the given branches, also for a name as in a clone: branches whose name begins or ends with
 * the given one, otherwise the nearest.
 */
export function branchLike(name: string, names: readonly string[]): string | undefined {
  const wanted = name.replace(asInClone, '')
  const longer = names
    .filter(name => name.startsWith(wanted) || name.endsWith(`/${wanted}`))
    .slice(0, MAX_LISTED)
  return longer.length > 0 && sameLooking(wanted, names) === undefined
    ? didYouMean(longer)
    : guessOf(wanted, names)
}

/** The tags with the same version as a name, or a version that begins with it: `1.4` finds `v1.4.0`. */
function versionsLike(name: string, names: readonly string[]): readonly string[] {
  const folded = nameFolder()
  const versionOf = (text: string) => folded(text).replace(/^v(?=\d)/, '')
  const version = versionOf(name.replace(asInClone, ''))
  const others = names.map(other => ({ other, is: versionOf(other) }))
  const alike = others.filter(({ is }) => is === version)
  const longer = others.filter(({ is }) => is.startsWith(`${version}.`))
  return [...alike, ...longer].slice(0, MAX_LISTED).map(({ other }) => other)
}

/** Suggests one or more of the given tags. */
function tagLike(name: string, names: readonly string[]): string | undefined {
  const found = versionsLike(name, names)
  return found.length > 0 ? didYouMean(found) : guessOf(name.replace(asInClone, ''), names)
}

/** The forge to search, and the tools that the caller may run. */
export type NearContext = Pick<ToolContext, 'forge' | 'mayRun'>

/** A suggestion, and what finds a second one to stand behind it, which is asked for once the first is known. */
export interface Suggestion {
  readonly said: string | undefined
  readonly beside?: () => Promise<string | undefined>
}

/**
 * Suggests the branch or tag that may be meant by a name that does not exist, also for one end of a range.
 * @param argument that has the name: if it takes branches only, no tag is suggested
 */
export async function nearBranch(
  name: string,
  args: Arguments,
  place: NearContext,
  argument: string
): Promise<string | Suggestion | undefined> {
  const { forge } = place
  const ends = name.split(/\.{2,3}/)
  if (ends.length > 1) return nearEnd(ends.slice(0, 2), args, place, argument)
  if (/^!\d+$/.test(name))
    return `${quoted(name)} is a merge request: of it a commit is its sha or, once merged, its merge_commit_sha, a branch its source_branch.`
  const from = withoutSteps(name)
  const isBefore = from !== name && from !== ''
  if (!isBefore && /^(?:HEAD\b.*|[0-9a-f]{7,64})$/i.test(name)) return undefined
  // The name exists, so another argument names the missing thing.
  if (await isRevision(name, args, forge)) return undefined
  if (isBefore) return (await nearBranch(from, args, place, argument)) ?? asAncestor(from, place)
  const branches = await branchesFor(name, args, forge)
  if (branches.length === 0)
    return 'The repository has no branches: where it is empty, commit_files makes the first commit, on the default branch.'
  const said = await branchInstead(name, branches, args, place, argument)
  return asInClone.test(name) ? said : { said, beside: () => branchOfFork(name, args, place) }
}

/** Suggests a branch or tag for a name that none has. */
async function branchInstead(
  name: string,
  branches: Awaited<ReturnType<typeof listed>>,
  args: Arguments,
  place: NearContext,
  argument: string
): Promise<string | undefined> {
  const guess = branchLike(name, textsOf(branches, 'name'))
  const main = branches.find(branch => branch.default === true)?.name
  if (guess !== undefined) return `There is no ${exactly(name)}: ${guess}`
  const mayBeTag = !argument.includes('branch') && place.mayRun('list_tags')
  const tag = mayBeTag ? tagLike(name, await tagNames(args, place.forge)) : undefined
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
 * Suggests the branch that may be meant by a name.
 * @returns undefined if a branch has that name
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

/** Whether a branch, tag or commit has that name; true if that cannot be determined. */
export const isRevision = (sha: string, args: Arguments, forge: ForgeClient): Promise<boolean> =>
  isThere(requestTo('GET {PG}/repository/commits/{.sha}', { ...args, sha }), forge)

/** Suggests the branch or tag that may be meant. @throws what ForgeClient.send throws */
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

/** Suggests a name for the missing end of a range: the forge does not say which end is missing. */
async function nearEnd(
  ends: readonly string[],
  args: Arguments,
  place: NearContext,
  argument: string
): Promise<string | Suggestion | undefined> {
  for (const end of ends.filter(end => end !== '')) {
    const near = await nearBranch(end, args, place, argument)
    if (near !== undefined) return near
  }
  return undefined
}

/** Suggests a tag for a name that no tag has. @param like makes the suggestion, given the existing names */
const nearTagBy =
  (like: (name: string, names: readonly string[]) => string | undefined) =>
  async (name: string, args: Arguments, forge: ForgeClient): Promise<string | undefined> => {
    const names = await tagNames(args, forge)
    const guess = names.includes(name) ? undefined : like(name, names)
    return guess && sentence(guess)
  }

/** Suggests the tag that may be meant by a name that does not exist. */
export const nearTag = nearTagBy(tagLike)

/** For a tag to be created: suggests an existing one only if it has the same version, or differs by a typing error. */
export const nearNewTag = nearTagBy((name, names) => {
  const [same = slipOf(name, names)] = versionsLike(name, names)
  return same && didYouMean([same], name)
})

/**
 * If a tag of that name has no release, says so. Otherwise says that there is no such tag, and suggests a release, or a
 * tag of the same version without a release.
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

/** Whether the caller can see that project; true if that cannot be determined. */
export const isProject = (project_id: string, forge: ForgeClient): Promise<boolean> =>
  isThere(requestTo('GET /projects/{project_id}', { project_id }), forge)

/** Whether the issue that an argument names exists; `target_issue_iid` is looked up in `target_project_id`. */
export const isIssue = (argument: string, args: Arguments, forge: ForgeClient): Promise<boolean> => {
  const project_id = args[argument.replace('issue_iid', 'project_id')] ?? args.project_id
  return isThere(
    requestTo('GET /projects/{project_id}/issues/{issue_iid}', { project_id, issue_iid: args[argument] }),
    forge
  )
}

/** Suggests the label that may be meant by a name that does not exist. */
export async function nearLabel(
  name: string,
  args: Arguments,
  forge: ForgeClient
): Promise<string | undefined> {
  const names = textsOf(await listed('labels', args, page, forge), 'name')
  const guess = names.includes(name) ? undefined : guessOf(name, names)
  return guess && sentence(guess)
}
