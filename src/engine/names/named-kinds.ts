import { quoted } from '../../results/visible.ts'
import type { Noun } from '../arguments/argument-flags.ts'
import { guessOf } from '../arguments/problems.ts'
import type { Arguments } from '../arguments/values.ts'
import type { LookupContext } from '../context.ts'
import { branchLike, isRevision, revisionLike } from '../suggestions/names.ts'
import { isPathThere, pathLike } from '../suggestions/paths.ts'
import { joinedFinder, partsOf } from './joined-names.ts'
import { isUsername, peopleLike } from './people.ts'

/* What is named by more than a number, and how a forge lists what has which name. */

export interface Listed {
  /** A template of the list. */
  readonly list: string
  /** What of the list is said, where it may lack some that filter, too. */
  readonly where?: string
  readonly query: Readonly<Record<string, string>>
}

export interface NamedKind {
  /** The field of the name. */
  readonly called: string
  /** The tool that lists what has such names, where it is not `suggest` that says who. */
  readonly by?: string
  /** The list that has what the call can name; undefined where it names no place to look. */
  readonly listOf: (args: Arguments) => Listed | undefined
  /** Filters that are not looked at. */
  readonly words: RegExp
  /** Asks which of some was meant, where it is not the nearest alone. */
  readonly like?: (name: string, names: readonly string[]) => string | undefined
  /** Where the names stand, as a sentence. */
  readonly hint: string
  /** Asks the forge for one name, where there are too many of them for a list to be read. */
  readonly asked?: {
    readonly isThere: (name: string, context: LookupContext, args: Arguments) => Promise<boolean>
    /** What was meant, of a name that is none. */
    readonly suggest: (name: string, args: Arguments, context: LookupContext) => Promise<string | undefined>
  }
}

/** A list that a project or group has. */
export interface HeldList {
  /** The path below the project or group. */
  readonly list: string
  /** What it needs to have also what is of the groups above. */
  readonly query: Listed['query']
  /** The tool that lists it. */
  readonly by: string
  /** The field of the name. */
  readonly called: string
}

export const labels: HeldList = { list: 'labels', query: {}, by: 'list_labels', called: 'name' }

export const milestones: HeldList = {
  list: 'milestones',
  query: { include_ancestors: 'true' },
  by: 'list_milestones',
  called: 'title'
}

/** What has such lists, in the order in which a call's arguments are looked at. */
const HOLDERS = [
  { argument: 'project_id', place: 'GET /projects/{project_id}', noun: 'project' },
  { argument: 'group_id', place: 'GET /groups/{group_id}', noun: 'group' }
] as const

/** What a call names that has such lists. */
export type ListHolder = (typeof HOLDERS)[number]

/** The project or group that a call names; undefined if it names neither. */
export const listHolderOf = (args: Arguments): ListHolder | undefined =>
  HOLDERS.find(({ argument }) => args[argument] !== undefined)

/**
 * What is named in a list of the project or group that is named.
 * @param below what a group's list needs to have what is below it too
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

/** Asks which labels were meant: several where a name is theirs in one, of which a list says what has all. */
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
  // A commit, and what is no branch's name.
  words: /^(?:HEAD\b.*|[0-9a-f]{7,64}|refs\/.*)$/i,
  like: branchLike,
  hint: 'list_branches and list_tags have those there are.'
}

/** All kinds of names that are looked up, by noun. */
export const kinds: Readonly<Record<Noun, NamedKind>> = {
  branch,
  'branch or tag': {
    ...branch,
    asked: { isThere: (name, { forge }, args) => isRevision(name, args, forge), suggest: revisionLike }
  },
  environment: {
    ...heldIn({ list: 'environments', query: {}, by: 'list_environments', called: 'name' }, {}),
    // Each may be a name.
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
    // Of all branches one would have to be looked at after the other.
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
    // A forge looks for people of that name even where it has such a word beside the id.
    words: /(?!)/,
    hint: 'find_users finds people by name.',
    asked: { isThere: isUsername, suggest: peopleLike }
  }
}
