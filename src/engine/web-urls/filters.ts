import type { Fields } from '../../json/records.ts'

/*
 * Translates the query of a list's address into arguments of the tool that lists the same. Filters are found by their
 * parameter names, without the `[]` of a list. A filter gives no argument for values that its tool cannot express.
 */

type Filter = (values: readonly string[]) => Fields | undefined
type Filters = Readonly<Record<string, Filter>>

const one =
  (argument: string, pattern = /(?:)/): Filter =>
  ([value, ...more]) =>
    more.length === 0 && pattern.test(value!) ? { [argument]: value } : undefined

const many =
  (argument: string): Filter =>
  values => ({ [argument]: values })

/** Words in capitals, separated by commas. The filter applies only if the tool knows all of them. */
const list =
  (argument: string, known: readonly string[]): Filter =>
  values => {
    const words = values.flatMap(value => value.toLowerCase().split(','))
    return words.every(word => known.includes(word)) ? { [argument]: words } : undefined
  }

/** Titles. Words such as `none` apply only alone: the tool refuses them beside other titles. */
const titles =
  (argument: string, words: RegExp): Filter =>
  values =>
    values.length > 1 && values.some(value => words.test(value)) ? undefined : { [argument]: values }

const yes =
  (argument: string): Filter =>
  ([value]) =>
    /^(?:yes|true|no|false)$/.test(value!) ? { [argument]: /^(?:yes|true)$/.test(value!) } : undefined

/** A filter with fixed values, each of which stands for certain arguments. */
const words =
  (meant: Readonly<Record<string, Fields>>): Filter =>
  ([value]) =>
    Object.hasOwn(meant, value!) ? meant[value!] : undefined

/** An order such as `created_date`, `updated_desc` or `title_asc`; tools have other names for the fields. */
const sorted =
  (orders: Readonly<Record<string, string>>): Filter =>
  ([value]) => {
    const [, by, way] = /^(\w+?)(?:_(asc|desc|date))?$/.exec(value!) ?? []
    if (by === undefined || !Object.hasOwn(orders, by)) return undefined
    const order_by = orders[by]
    return way === undefined ? { order_by } : { order_by, sort: way === 'asc' ? 'asc' : 'desc' }
  }

const digits = /^\d{1,15}$/

const workOrders = {
  created: 'created_at',
  updated: 'updated_at',
  priority: 'priority',
  label_priority: 'label_priority',
  milestone_due: 'milestone_due',
  popularity: 'popularity',
  title: 'title'
}

const work: Filters = {
  scope: one('scope', /^(?:all|created_by_me|assigned_to_me)$/),
  search: one('search'),
  label_name: many('labels'),
  milestone_title: one('milestone'),
  author_id: one('author_id'),
  author_username: one('author_username'),
  assignee_id: one('assignee_id')
}

const byTool: Readonly<Record<string, Filters>> = {
  list_issues: {
    ...work,
    state: one('state', /^(?:opened|closed|all)$/),
    assignee_username: many('assignee_username'),
    type: one('issue_type', /^(?:issue|incident|test_case|task)$/),
    confidential: yes('confidential'),
    due_date: one('due_date'),
    sort: sorted({
      ...workOrders,
      due_date: 'due_date',
      relative_position: 'relative_position',
      weight: 'weight'
    })
  },
  list_merge_requests: {
    ...work,
    state: one('state', /^(?:opened|closed|locked|merged|all)$/),
    assignee_username: one('assignee_username'),
    reviewer_id: one('reviewer_id'),
    reviewer_username: one('reviewer_username'),
    approved_by_usernames: many('approved_by_usernames'),
    source_branch: one('source_branch'),
    target_branch: one('target_branch'),
    draft: yes('draft'),
    sort: sorted({ ...workOrders, merged_at: 'merged_at' })
  },
  list_work_items: {
    state: one('state', /^(?:opened|closed|all)$/),
    search: one('search'),
    label_name: titles('label_names', /^(?:none|any)$/i),
    milestone_title: titles('milestone_titles', /^(?:none|any|#?upcoming|#?started)$/i),
    author_username: one('author_username'),
    assignee_username: many('assignee_usernames'),
    assignee_id: values =>
      values.length === 1 && /^(?:none|any)$/i.test(values[0]!) ? { assignee_usernames: values } : undefined,
    confidential: yes('confidential'),
    sort: values =>
      values[0] === 'created_date'
        ? { sort: 'created_desc' }
        : one('sort', /^(?:created|updated|title)_(?:asc|desc)$/)(values)
  },
  list_pipelines: {
    scope: words({
      all: {},
      ...Object.fromEntries(
        ['running', 'pending', 'finished', 'branches', 'tags'].map(scope => [scope, { scope }])
      )
    }),
    status: one(
      'status',
      /^(?:created|waiting_for_resource|preparing|pending|running|success|failed|canceled|skipped|manual|scheduled)$/
    ),
    ref: one('ref'),
    username: one('username')
  },
  list_milestones: {
    state: words({ opened: { state: 'active' }, closed: { state: 'closed' }, all: { state: 'all' } }),
    search_title: one('search')
  },
  list_tags: {
    search: one('search'),
    sort: sorted({ name: 'name', updated: 'updated', version: 'version' })
  },
  list_branches: {
    search: one('search'),
    sort: one('sort', /^(?:name_asc|updated_asc|updated_desc)$/)
  },
  list_todos: {
    state: one('state', /^(?:pending|done)$/),
    type: one('type', /^(?:Issue|MergeRequest|Commit|Epic|Project|Namespace|Vulnerability|WikiPage::Meta)$/),
    author_id: one('author_id', digits),
    project_id: one('project_id', digits),
    group_id: one('group_id', digits)
  },
  list_projects: {
    name: one('search'),
    search: one('search'),
    topic: one('topic'),
    archived: words({ true: {}, false: { archived: false }, only: { archived: true } }),
    visibility_level: words({
      0: { visibility: 'private' },
      10: { visibility: 'internal' },
      20: { visibility: 'public' }
    }),
    sort: sorted({
      name: 'name',
      path: 'path',
      created: 'created_at',
      updated: 'updated_at',
      latest_activity: 'last_activity_at',
      stars: 'star_count'
    })
  },
  search: {
    search: one('query'),
    scope: one(
      'scope',
      /^(?:issues|merge_requests|milestones|projects|users|commits|wiki_blobs|notes|snippet_titles|blobs)$/
    ),
    project_id: one('project_id', digits),
    group_id: one('group_id', digits),
    repository_ref: one('ref'),
    state: one('state', /^(?:opened|closed|merged|all)$/),
    confidential: yes('confidential')
  },
  get_merge_request_diffs: { commit_id: one('sha', /^[0-9a-f]{7,64}$/) },
  list_environments: {
    search: one('search', /.{3}/),
    scope: words({
      active: { states: 'available' },
      available: { states: 'available' },
      stopped: { states: 'stopped' }
    })
  },
  list_deployments: {},
  list_vulnerabilities: {
    state: list('state', ['detected', 'confirmed', 'resolved', 'dismissed']),
    severity: list('severity', ['critical', 'high', 'medium', 'low', 'unknown', 'info'])
  },
  list_pipeline_schedules: { scope: one('scope', /^(?:active|inactive)$/) },
  list_members: { search: one('query') },
  list_commits: { author: one('author') },
  list_groups: { filter: one('search') },
  list_webhooks: {},
  list_labels: { search: one('search') },
  list_releases: {},
  list_wiki_pages: {},
  get_wiki_page: { version_id: one('version', /^[0-9a-f]{4,64}$/) },
  list_packages: {},
  list_registry_repositories: {},
  list_snippets: {},
  list_variables: {},
  list_runners: {},
  list_iterations: {},
  list_events: {},
  list_user_followers: {}
}

/** The filters of list pages, by the tool that lists the same. */
export const filtersFor: ReadonlyMap<string, Filters> = new Map(Object.entries(byTool))

/** Parameters that say which part of a list is shown and how, and so are not filters. */
const ofThePage =
  /^(?:page|per_page|(?:first|last)_page_size|page_(?:after|before)|cursor|utf8|ref_type|show|tab|view|nav_source)$/

/** Most filters of one address that are read: pages of a forge have a dozen or two. */
const MAX_FILTERS = 50

/** Converts the filters of an address. @returns the arguments that they give, and which of the filters give none */
export function filtered(
  filters: Filters,
  query: URLSearchParams
): { readonly given: readonly string[]; readonly unread: readonly string[]; readonly args: Fields } {
  const given = valuesIn(query)
  const unread: string[] = []
  let args: Fields = {}
  for (const [key, values] of given) {
    const name = key.replace(/\[\]$/, '')
    const read = Object.hasOwn(filters, name) ? filters[name]!(values) : undefined
    if (read === undefined) unread.push(key)
    else args = { ...args, ...read }
  }
  return { given: [...given.keys()], unread, args }
}

function valuesIn(query: URLSearchParams): ReadonlyMap<string, readonly string[]> {
  const given = new Map<string, string[]>()
  for (const [key, value] of query) {
    if (value === '' || ofThePage.test(key)) continue
    const values = given.get(key)
    if (values !== undefined) values.push(value)
    else if (given.size < MAX_FILTERS) given.set(key, [value])
  }
  return given
}
