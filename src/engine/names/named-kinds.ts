import { quoted } from '../../results/visible.ts'
import type { Noun } from '../arguments/argument-flags.ts'
import { guessOf } from '../arguments/problems.ts'
import type { Arguments } from '../arguments/values.ts'
import type { LookupContext } from '../context.ts'
import { branchOfFork } from '../suggestions/fork-branch.ts'
import { branchLike, isRevision, revisionLike } from '../suggestions/names.ts'
import { isPathThere, pathLike } from '../suggestions/paths.ts'
import { joinedFinder, partsOf } from './joined-names.ts'
import { isUsername, peopleLike } from './people.ts'

/* Things that are named by more than a number, and how a forge lists them by name. */

export interface Listed {
  /** A template of the list. */
  readonly list: string
  /** A restriction of the list, in words: it may lack some things that filters accept. */
  readonly where?: string
  readonly query: Readonly<Record<string, string>>
}

export interface NamedKind {
  /** The field with the name. */
  readonly called: string
  /** The tool that lists such names. If there is none, `suggest` checks what the caller may see. */
  readonly by?: string
  /** The list of things that the call can name; undefined if the call names no place to look. */
  readonly listOf: (args: Arguments) => Listed | undefined
  /** Values of filters that are keywords, and not looked up. */
  readonly words: RegExp
  /** Suggests the names that may have been meant, if the nearest name alone is not enough. */
  readonly like?: (name: string, names: readonly string[]) => string | undefined
  /** Where to find the names, as a sentence. */
  readonly hint: string
  /** Asks the forge for one name, for kinds that have too many names to list. */
  readonly asked?: {
    readonly isThere: (name: string, context: LookupContext, args: Arguments) => Promise<boolean>
    /** Suggests what may have been meant by a name that does not exist. */
    readonly suggest: (name: string, args: Arguments, context: LookupContext) => Promise<string | undefined>
  }
}

/** A list that a project or group has. */
export interface HeldList {
  /** The path below the project or group. */
  readonly list: string
  /** The query that also includes things of the groups above. */
  readonly query: Listed['query']
  /** The tool that lists it. */
  readonly by: string
  /** The field with the name. */
  readonly called: string
}

export const labels: HeldList = { list: 'labels', query: {}, by: 'list_labels', called: 'name' }

export const milestones: HeldList = {
  list: 'milestones',
  query: { include_ancestors: 'true' },
  by: 'list_milestones',
  called: 'title'
}

/** Places that have such lists, in the order in which a call's arguments are examined. */
const HOLDERS = [
  { argument: 'project_id', place: 'GET /projects/{project_id}', noun: 'project' },
  { argument: 'group_id', place: 'GET /groups/{group_id}', noun: 'group' }
] as const

/** A place that has such lists, as a call names it. */
export type ListHolder = (typeof HOLDERS)[number]

/** The project or group that a call names; undefined if it names neither. */
export const listHolderOf = (args: Arguments): ListHolder | undefined =>
  HOLDERS.find(({ argument }) => args[argument] !== undefined)

/**
 * Describes a list of the project or group that the call names.
 * @param below the query with which a group's list also includes the things below the group
 */
function heldIn({ list, query, by, called }: HeldList, below: Listed['query'], where?: Listed['where']) {
  const listOf: NamedKind['listOf'] = args => {
    const holder = listHolderOf(args)
    if (holder === undefined) return undefined
    const whole = `${holder.place}/${list}`
    if (holder.noun === 'project') return { list: whole, query }
    return { list: whole, query: { ...query, ...below }, ...(where && { where }) }
  }
  return { called, by, listOf }
}

/**
 * Suggests the labels that may have been meant: several if the name joins their names, as a list filters by all of
 * them.
 */
function labelLike(name: string, names: readonly string[]): string | undefined {
  const joined = joinedFinder(names)(partsOf(name))
  return joined === undefined
    ? guessOf(name, names)
    : `there are ${joined.map(quoted).join(' and ')}: if these are meant, give each as a name of its own.`
}

const branch: NamedKind = {
  called: 'name',
  by: 'list_branches',
  listOf: ({ project_id }) =>
    project_id === undefined
      ? undefined
      : { list: 'GET /projects/{project_id}/repository/branches', query: {} },
  // A commit, and texts that cannot be the name of a branch.
  words: /^(?:HEAD\b.*|[0-9a-f]{7,64}|refs\/.*)$/i,
  like: branchLike,
  hint: 'list_branches and list_tags have those there are.'
}

/** Suggests a branch or tag, or says after the usual which fork brings a branch of that name. */
async function revisionMeant(
  name: string,
  args: Arguments,
  context: LookupContext
): Promise<string | undefined> {
  const near = await revisionLike(name, args, context)
  const ofFork = near === undefined ? await branchOfFork(name, args, context) : undefined
  return ofFork === undefined ? near : `${branch.hint} ${ofFork}`
}

/** All kinds of names that are looked up, by noun. */
export const kinds: Readonly<Record<Noun, NamedKind>> = {
  branch,
  'branch or tag': {
    ...branch,
    asked: { isThere: (name, { forge }, args) => isRevision(name, args, forge), suggest: revisionMeant }
  },
  environment: {
    ...heldIn({ list: 'environments', query: {}, by: 'list_environments', called: 'name' }, {}),
    // No keywords: any value may be a name.
    words: /(?!)/,
    like: branchLike,
    hint: 'list_environments has those there are.'
  },
  label: {
    ...heldIn(labels, { include_descendant_groups: 'true', only_group_labels: 'false' }),
    words: /^(?:none|any)$/i,
    like: labelLike,
    hint: 'list_labels has those there are.'
  },
  milestone: {
    ...heldIn(milestones, { include_descendants: 'true' }, ' of the group'),
    words: /^#?(?:none|any|upcoming|started)$/i,
    hint: 'list_milestones has those there are.'
  },
  path: {
    called: 'path',
    by: 'get_repository_tree',
    // For all branches, each would have to be searched in turn.
    listOf: ({ project_id, all, ref = '' }) =>
      project_id === undefined || all === true || String(ref).includes('..')
        ? undefined
        : { list: 'GET /projects/{project_id}/repository/tree', query: {} },
    words: /^\.?\/?$/,
    hint: 'get_repository_tree has those there are.',
    asked: { isThere: isPathThere, suggest: pathLike }
  },
  user: {
    called: 'username',
    listOf: () => ({ list: 'GET /users', query: {} }),
    // No keywords: a forge searches for people of that name even if it takes such a word for the id.
    words: /(?!)/,
    hint: 'find_users finds people by name.',
    asked: { isThere: isUsername, suggest: peopleLike }
  }
}
