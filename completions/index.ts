import fp from 'fastify-plugin'
import type { CompletionSource } from '../src/completions/source.ts'

/** What one answer may hold is more than anybody looks through. */
const PAGE = 50

const whole = (typed: string): string => typed
/** The forge finds what is shorter than three characters only where nothing else is: it is looked for here then. */
const parts = (typed: string): string => (/\S{3}/.test(typed) ? typed : '')
/** And a number by no search. */
const words = (typed: string): string => (/^[!#]?\d/.test(typed) ? '' : parts(typed))
const searched = (search: string) => ({ per_page: PAGE, ...(search !== '' && { search }) })

/** Every source, by the argument that it completes. */
export const completions: readonly CompletionSource[] = [
  {
    name: 'project_id',
    tool: 'list_projects',
    given: [],
    search: parts,
    arguments: (_, search) => ({
      membership: true,
      order_by: 'last_activity_at',
      ...searched(search),
      // Also before a slash is typed: what is typed on is looked for in what came then.
      ...(search !== '' && { search_namespaces: true })
    }),
    value: ({ path_with_namespace: path }) => path
  },
  {
    name: 'group_id',
    tool: 'list_groups',
    given: [],
    search: parts,
    arguments: (_, search) => searched(search),
    value: ({ full_path: path }) => path
  },
  {
    name: 'merge_request_iid',
    tool: 'list_merge_requests',
    given: ['project_id'],
    search: words,
    arguments: ({ project_id }, search) => ({
      project_id,
      state: 'opened',
      order_by: 'updated_at',
      ...searched(search)
    }),
    value: ({ iid }) => iid,
    title: ({ title }) => title
  },
  {
    name: 'issue_iid',
    tool: 'list_issues',
    given: ['project_id'],
    search: words,
    arguments: ({ project_id }, search) => ({
      project_id,
      state: 'opened',
      scope: 'all',
      order_by: 'updated_at',
      ...searched(search)
    }),
    value: ({ iid }) => iid,
    title: ({ title }) => title
  },
  {
    name: 'ref',
    tool: 'list_branches',
    given: ['project_id'],
    search: whole,
    arguments: ({ project_id }, search) => ({ project_id, ...searched(search) }),
    value: ({ name }) => name
  },
  {
    name: 'tag',
    tool: 'list_tags',
    given: ['project_id'],
    search: whole,
    arguments: ({ project_id }, search) => ({ project_id, ...searched(search) }),
    value: ({ name }) => name
  },
  {
    name: 'label',
    tool: 'list_labels',
    given: ['project_id'],
    search: parts,
    arguments: ({ project_id }, search) => ({ project_id, ...searched(search) }),
    value: ({ name }) => name
  },
  {
    name: 'pipeline_id',
    tool: 'list_pipelines',
    given: ['project_id'],
    arguments: ({ project_id }) => ({ project_id, per_page: PAGE }),
    value: ({ id }) => id,
    title: ({ ref, status }) => `${status} ${ref}`
  },
  {
    name: 'path',
    tool: 'get_repository_tree',
    given: ['project_id', 'ref'],
    // A directory at a time: what is before the last slash.
    search: typed => typed.slice(0, typed.lastIndexOf('/') + 1),
    isPlace: true,
    arguments: ({ project_id, ref }, directory) => ({
      project_id,
      ref,
      per_page: 100,
      ...(directory !== '' && { path: directory.slice(0, -1) })
    }),
    value: ({ path, type }) => (type === 'tree' ? `${path}/` : path)
  },
  {
    name: 'slug',
    tool: 'list_wiki_pages',
    given: ['project_id'],
    arguments: ({ project_id }) => ({ project_id }),
    value: ({ slug }) => slug
  }
]

/** Adds them where there is something to complete. */
export default fp(
  async fastify => {
    for (const source of completions) fastify.completions?.add(source)
  },
  { fastify: '5.x', name: 'completions', dependencies: ['completion-registry'] }
)
