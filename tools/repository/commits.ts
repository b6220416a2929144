import { Type } from 'typebox'
import type { Arguments, Check } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { fullNameOf } from '../../src/engine/names/people.ts'
import { listOf } from '../../src/engine/requests/record.ts'
import {
  flag,
  forgeDefault,
  oneOf,
  optional,
  Page,
  ProjectId,
  text,
  When,
  wholeList
} from '../../src/engine/rows/fields.ts'
import { revision } from '../../src/engine/rows/revisions.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { quoted } from '../../src/results/visible.ts'
import { type ChangedFile, ExcludedFilePatterns, withoutExcluded } from '../families/files/excluded-files.ts'
import { Unidiff } from '../families/files/unidiff.ts'
import { isNoneAtAll } from '../families/lists/none-at-all.ts'
import { isPath, withDirectory } from './fields.ts'

const refOrAll: Check = ({ ref, all }) => {
  if (ref !== undefined && all === true)
    throw new CallProblem('Give ref or all, not both: of all the forge takes no ref.')
}

const Sha = revision('Or branch or tag')

/**
 * The forge searches names and email addresses for the author. So `me` and @username are looked up and replaced by the
 * person's name.
 */
async function byFullName(args: Arguments, context: ToolContext): Promise<Arguments> {
  const { author } = args
  const name = author === undefined ? undefined : await fullNameOf('author', String(author), context)
  return withDirectory(name === undefined ? args : { ...args, author: name })
}

/** The notice that says how the author was read and, if nothing was found, that commits have no usernames. */
function saidOfAuthor(
  value: unknown,
  args: Arguments,
  _: unknown,
  { author: sent }: Arguments
): string | undefined {
  const { author } = args
  const isNone = author !== undefined && isNoneAtAll(value, args)
  const said = [
    ...(sent === author
      ? []
      : [`author was read as ${quoted(String(sent))}: commits made under another name are not listed.`]),
    ...(isNone
      ? [
          'author is part of a name or email as the commits have them, and no username: list_contributors has those of the project.'
        ]
      : [])
  ]
  return said.length === 0 ? undefined : said.join(' ')
}

const inMessages = 'to search commit messages call search with scope=commits'

/** A forge gives the same answer for a repository without commits as for one that does not exist. */
const noCommits =
  'Check the ids, and that the token may see the project; an empty repository has no commits, and commit_files makes the first.'

export const commitRows: readonly ToolRow[] = [
  rest({
    name: 'list_commits',
    class: 'read',
    title: 'Commits',
    summary: 'List commits, newest first.',
    record: 'commit',
    input: Type.Object(
      {
        project_id: ProjectId,
        ref: optional(revision('Branch, tag, SHA or range a..b')),
        path: optional({ ...text('That changed it'), names: { noun: 'path', use: 'filter' } }),
        author: optional(text('Part of a name or email; me, @username')),
        since: optional(When),
        until: optional(When),
        all: optional(flag('Of all branches')),
        with_stats: optional(flag('Lines added and removed')),
        first_parent: optional(flag('Not what merges brought in')),
        order: optional(forgeDefault('default', oneOf(['default', 'topo'], 'topo: parents after children'))),
        ...Page
      },
      {
        instead: {
          to: 'a range is one ref: ref="a..b" has what came to b after a',
          search: inMessages,
          query: inMessages,
          message: inMessages,
          grep: inMessages
        }
      }
    ),
    check: [refOrAll, isPath],
    request: 'GET /projects/{project_id}/repository/commits',
    advice: { 404: `A range has two dots: a..b. ${noCommits}` },
    adapt: byFullName,
    notice: saidOfAuthor,
    rename: { ref: 'ref_name' }
  }),
  rest({
    name: 'get_commit',
    class: 'read',
    title: 'Commit',
    summary: 'Get its message, stats and pipeline.',
    record: 'commit',
    input: Type.Object({ project_id: ProjectId, sha: Sha, stats: optional(forgeDefault(true, flag())) }),
    request: 'GET /projects/{project_id}/repository/commits/{.sha}',
    advice: { 404: noCommits }
  }),
  rest({
    name: 'get_commit_diff',
    class: 'read',
    title: 'Commit diff',
    summary: 'Get what it changed.',
    record: 'diff',
    input: Type.Object({
      project_id: ProjectId,
      sha: Sha,
      unidiff: Unidiff,
      excluded_file_patterns: ExcludedFilePatterns,
      ...Page
    }),
    request: 'GET /projects/{project_id}/repository/commits/{.sha}/diff',
    local: ['excluded_file_patterns'],
    shape: (value, { excluded_file_patterns: patterns }, context) =>
      withoutExcluded(listOf<ChangedFile>(value), patterns, context)
  }),
  rest({
    name: 'list_commit_merge_requests',
    class: 'read',
    does: ['list_merge_requests'],
    title: 'MRs of a commit',
    summary: 'List the merge requests that brought it in.',
    record: 'commit_merge_request',
    input: Type.Object(
      {
        project_id: ProjectId,
        sha: Sha,
        state: optional(oneOf(['opened', 'closed', 'locked', 'merged']))
      },
      wholeList
    ),
    request: 'GET /projects/{project_id}/repository/commits/{.sha}/merge_requests'
  }),
  rest({
    name: 'list_commit_refs',
    class: 'read',
    does: ['list_branches', 'list_tags'],
    title: 'Refs of a commit',
    summary: 'List the branches and tags that contain it.',
    record: 'commit_ref',
    input: Type.Object({
      project_id: ProjectId,
      sha: Sha,
      type: optional(oneOf(['branch', 'tag', 'all'])),
      ...Page
    }),
    request: 'GET /projects/{project_id}/repository/commits/{.sha}/refs'
  }),
  rest({
    name: 'list_contributors',
    class: 'read',
    title: 'Contributors',
    summary: 'List who committed, most commits first.',
    record: 'contributor',
    input: Type.Object({
      project_id: ProjectId,
      ref: optional(revision()),
      order_by: optional(oneOf(['name', 'email', 'commits'])),
      sort: optional(oneOf(['asc', 'desc'])),
      ...Page
    }),
    request: 'GET /projects/{project_id}/repository/contributors',
    advice: { 404: noCommits },
    fixed: { order_by: 'commits', sort: 'desc' }
  })
]
