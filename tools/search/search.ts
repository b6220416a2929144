import { Type } from 'typebox'
import type { Arguments } from '../../src/engine/arguments/values.ts'
import { atMostOne } from '../../src/engine/rows/checks.ts'
import {
  flag,
  groupId,
  OptionalProjectId,
  oneOf,
  optional,
  Page,
  text
} from '../../src/engine/rows/fields.ts'
import { revisionFilter } from '../../src/engine/rows/revisions.ts'
import { type OthersByValue, rest } from '../../src/engine/rows/row.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { commentTools } from '../families/items/comment-tools.ts'
import { noQualifiers } from '../families/lists/no-qualifiers.ts'

type Reach = 'project_id' | 'group_id' | 'everywhere'

const everywhere: readonly Reach[] = ['everywhere', 'group_id', 'project_id']

/** Where a forge searches for each scope (search API). Commits, wikis and notes beyond one project are Premium. */
const reaches: Readonly<Record<string, readonly Reach[]>> = {
  issues: everywhere,
  merge_requests: everywhere,
  milestones: everywhere,
  users: everywhere,
  commits: everywhere,
  wiki_blobs: everywhere,
  notes: everywhere,
  projects: ['everywhere', 'group_id'],
  snippet_titles: ['everywhere']
}

/** The tools that read what each scope finds. The policy for these tools applies to the scope. */
const shownBy: OthersByValue = {
  issues: 'list_issues',
  merge_requests: 'list_merge_requests',
  milestones: 'list_milestones',
  users: ['find_users', 'list_members'],
  commits: 'list_commits',
  wiki_blobs: ['list_wiki_pages', 'get_wiki_page'],
  notes: commentTools,
  projects: 'list_projects',
  snippet_titles: 'list_snippets'
}

/** Other words that callers use for scopes. */
const otherScopes = {
  comments: 'notes',
  mrs: 'merge_requests',
  people: 'users',
  pull_requests: 'merge_requests',
  repositories: 'projects',
  repos: 'projects',
  snippets: 'snippet_titles',
  wiki: 'wiki_blobs',
  wikis: 'wiki_blobs'
}

/** Filters that the forge silently ignores for other scopes. */
const filters: Readonly<Record<string, readonly string[]>> = {
  state: ['issues', 'merge_requests'],
  confidential: ['issues'],
  ref: ['commits', 'wiki_blobs']
}

const inWords: Readonly<Record<Reach, string>> = {
  project_id: 'with project_id',
  group_id: 'with group_id',
  everywhere: 'without project_id and group_id'
}

const isThere = ({ scope, project_id, group_id }: Arguments): void => {
  const asked: Reach =
    project_id !== undefined ? 'project_id' : group_id !== undefined ? 'group_id' : 'everywhere'
  const there = reaches[String(scope)] ?? []
  if (!there.includes(asked))
    throw new CallProblem(
      `${scope} are searched ${there.map(reach => inWords[reach]).join(' or ')}, not ${inWords[asked]}.`
    )
}

const filtersFit = (args: Arguments): void => {
  for (const [name, scopes] of Object.entries(filters))
    if (args[name] !== undefined && !scopes.includes(String(args.scope)))
      throw new CallProblem(`${name} goes with scope ${scopes.join(' or ')} only.`)
  if (args.state === 'merged' && args.scope === 'issues')
    throw new CallProblem('state merged goes with scope merge_requests only.')
  if (args.ref !== undefined && args.project_id === undefined)
    throw new CallProblem('ref goes with project_id only.')
}

const needsAdvanced =
  'Commits, wikis and notes are searched in one project, or beyond one where the forge has advanced search (Premium): give project_id.'

export const searchRow = rest({
  name: 'search',
  class: 'read',
  doesWith: { scope: shownBy },
  noProject: { scope: ['projects', 'snippet_titles'] },
  title: 'Search',
  summary: 'Search a project, a group or everything; for code use search_code.',
  input: Type.Object({
    scope: {
      ...oneOf([
        'issues',
        'merge_requests',
        'milestones',
        'projects',
        'users',
        'commits',
        'wiki_blobs',
        'notes',
        'snippet_titles'
      ]),
      alias: otherScopes,
      problem: '; code is searched by search_code'
    },
    query: text(),
    project_id: OptionalProjectId,
    group_id: optional(groupId('Or project_id')),
    state: optional(oneOf(['opened', 'closed', 'merged', 'all'], 'Of issues and merge_requests')),
    confidential: optional(flag('Of issues')),
    ref: optional(revisionFilter('Of commits and wiki_blobs')),
    // By default, the forge uses the best search that it has.
    search_type: optional(oneOf(['basic', 'advanced', 'zoekt'])),
    order_by: optional(oneOf(['created_at'])),
    sort: optional(oneOf(['asc', 'desc'])),
    ...Page
  }),
  check: [atMostOne('project_id', 'group_id'), isThere, filtersFit],
  request: ['GET /projects/{project_id}/-/search', 'GET /groups/{group_id}/-/search', 'GET /search'],
  adapt: args => (args.scope === 'users' ? { ...args, query: String(args.query).replace(/^@/, '') } : args),
  rename: { query: 'search' },
  notice: noQualifiers('query', '; list_issues and list_merge_requests have more of them'),
  record: {
    argument: 'scope',
    of: {
      issues: 'found_work',
      merge_requests: 'found_work',
      milestones: 'found_milestone',
      projects: 'project',
      users: 'person',
      commits: 'commit',
      wiki_blobs: 'found_wiki_page',
      notes: 'found_note',
      snippet_titles: 'found_snippet'
    }
  },
  advice: {
    400: needsAdvanced,
    403: needsAdvanced,
    404: 'The project or group is not there, or you may not see it.',
    429: 'Searches are limited apart from other calls: wait, then repeat.'
  }
})
