import fp from 'fastify-plugin'
import type { CompletionSource } from '../src/completions/source.ts'

/** How many values are requested from the forge: more than anybody looks through. */
const PAGE = 50

const whole = (typed: string): string => typed
/**
 * The text to search for at the forge. The forge finds a text of fewer than three characters only as a whole name. For
 * such a text the whole list is requested, and searched here.
 */
const parts = (typed: string): string => (/\S{3}/.test(typed) ? typed : '')
/** The same, but an empty text for a number, which the forge cannot find by a search. */
const words = (typed: string): string => (/^[!#]?\d/.test(typed) ? '' : parts(typed))
const searched = (search: string) => ({ per_page: PAGE, ...(search !== '' && { search }) })

/** All sources, by the argument that they complete. */
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
      // Namespaces are searched even before a slash is typed: what the user types next is searched for in this answer.
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
    // Lists one directory at a time: the part before the last slash.
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

/** Registers the sources, if completions are offered. */
export default fp(
  async fastify => {
    for (const source of completions) fastify.completions?.add(source)
  },
  { fastify: '5.x', name: 'completions', dependencies: ['features/completion-registry'] }
)
