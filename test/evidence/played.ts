import type { ForgeState } from '../forge/index.ts'
import type { Commit, Issue, MergeRequest, Project } from '../forge/types.ts'
import type { Call } from '../support/sandbox-tools.ts'

/*
 * What is asked by a template of the benchmark, played in ada's name on acme/rocket: the answer by tools, and the one
 * that the sandbox forge's own state gives.
 */

// biome-ignore lint/suspicious/noExplicitAny: records of every kind are looked into
type Field = (record: any) => unknown

interface Play {
  template: number
  answer: (call: Call) => Promise<unknown[]>
  expected: (state: ForgeState) => unknown[]
}

/** One call, and what of each of its records answers. */
const by =
  (tool: string, args: Record<string, unknown>, field: Field) =>
  async (call: Call): Promise<unknown[]> => {
    const { value, error } = await call(tool, args)
    if (error !== undefined) throw new Error(`${tool}: ${error}`)
    return [value].flat().map(field)
  }

/** How many records one call gives. */
const count = (tool: string, args: Record<string, unknown>) => async (call: Call) => [
  (await by(tool, args, ({ id }) => id)(call)).length
]

const project_id = 'acme/rocket'
const all = { project_id, scope: 'all', per_page: 100 }
const id: Field = record => record.id
const iid: Field = record => record.iid

const isAda = ({ username }: { username: string }) => username === 'ada'
const open = <T extends { state: string }>(records: readonly T[]) =>
  records.filter(({ state }) => state === 'opened')
const requestsOf = ({ projects }: ForgeState): MergeRequest[] =>
  projects.flatMap(({ mergeRequests }) => mergeRequests)
const rocket = ({ projects }: ForgeState): Project => projects.find(({ path }) => path === 'rocket')!
const issuesOf = (state: ForgeState): Issue[] => rocket(state).issues
const latest = <T>(records: readonly T[], key: (record: T) => string): T[] =>
  records.toSorted((a, b) => key(b).localeCompare(key(a))).slice(0, 1)

/** What led to the head of the default branch. */
function history({ commits, branches, defaultBranch }: Project): Commit[] {
  const reached = new Set([branches.get(defaultBranch)!.sha])
  for (const sha of reached) for (const parent of commits.get(sha)!.parents) reached.add(parent)
  return [...reached].map(sha => commits.get(sha)!)
}

const namesOf = (state: ForgeState): [string, number][] => {
  const counts = new Map<string, number>()
  for (const { author } of history(rocket(state))) counts.set(author.name, (counts.get(author.name) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}

const by_commits = { project_id, order_by: 'commits', sort: 'desc' }
const day = (state: ForgeState) => history(rocket(state))[0]!.createdAt.slice(0, 10)

/** Gives the sandbox what some templates ask for and its sample has none of. */
export function prepare({ projects, users }: ForgeState): void {
  for (const { id } of users.slice(0, 3)) projects[0]!.stars.add(id)
  projects.at(-1)!.visibility = 'public'
}

export const played: readonly Play[] = [
  {
    template: 303,
    answer: by('list_todos', { state: 'pending' }, id),
    expected: ({ todos }) =>
      todos.filter(({ user, state }) => isAda(user) && state === 'pending').map(({ id }) => id)
  },
  {
    template: 290,
    answer: by('list_merge_requests', { scope: 'assigned_to_me', state: 'opened' }, iid),
    expected: state =>
      open(requestsOf(state))
        .filter(({ assignees }) => assignees.some(isAda))
        .map(({ iid }) => iid)
  },
  {
    template: 291,
    answer: by('list_merge_requests', { scope: 'all', state: 'opened', reviewer_username: 'ada' }, iid),
    expected: state =>
      open(requestsOf(state))
        .filter(({ reviewers }) => reviewers.some(isAda))
        .map(({ iid }) => iid)
  },
  {
    template: 300,
    answer: by('list_issues', { ...all, state: 'opened' }, iid),
    expected: state => open(issuesOf(state)).map(({ iid }) => iid)
  },
  ...[299, 349].map(template => ({
    template,
    answer: by('list_issues', { ...all, state: 'opened', labels: ['bug'] }, iid),
    expected: (state: ForgeState) =>
      open(issuesOf(state))
        .filter(({ labels }) => labels.includes('bug'))
        .map(({ iid }) => iid)
  })),
  {
    template: 310,
    answer: by(
      'list_issues',
      { ...all, search: 'the', order_by: 'updated_at', sort: 'desc', per_page: 1 },
      ({ state }) => state
    ),
    expected: state =>
      latest(
        issuesOf(state).filter(({ title, description }) => /the/i.test(`${title} ${description}`)),
        ({ updatedAt }) => updatedAt
      ).map(issue => issue.state)
  },
  {
    template: 500,
    answer: by('list_issues', { ...all, search: 'light', per_page: 1 }, ({ state }) => state),
    expected: state =>
      latest(
        issuesOf(state).filter(({ title }) => /light/i.test(title)),
        ({ createdAt }) => createdAt
      ).map(issue => issue.state)
  },
  ...[320, 322].map(template => ({
    template,
    answer: async (call: Call) => {
      const [first] = await by(
        'list_commits',
        { project_id, per_page: 1 },
        record => record.authored_date
      )(call)
      const date = String(first).slice(0, 10)
      const bounds = { since: `${date}T00:00:00Z`, until: `${date}T23:59:59Z` }
      return count('list_commits', { project_id, author: 'Linus', per_page: 100, ...bounds })(call)
    },
    expected: (state: ForgeState) => [
      history(rocket(state)).filter(
        ({ author, createdAt }) => author.username === 'linus' && createdAt.startsWith(day(state))
      ).length
    ]
  })),
  {
    template: 321,
    answer: count('list_commits', {
      project_id,
      author: 'Ada',
      since: '2020-01-01T00:00:00Z',
      per_page: 100
    }),
    expected: state => [history(rocket(state)).filter(({ author }) => isAda(author)).length]
  },
  ...[316, 323].map(template => ({
    template,
    answer: by('list_contributors', { ...by_commits, ref: 'main', per_page: 1 }, ({ name }) => name),
    expected: (state: ForgeState) =>
      namesOf(state)
        .slice(0, 1)
        .map(([name]) => name)
  })),
  {
    template: 324,
    answer: by('list_contributors', { ...by_commits, per_page: 3 }, ({ commits }) => commits),
    expected: state =>
      namesOf(state)
        .slice(0, 3)
        .map(([, commits]) => commits)
  },
  {
    template: 298,
    answer: by('list_members', { project_id, per_page: 100 }, ({ username }) => username),
    expected: state => {
      const { members, group } = rocket(state)
      const ids = new Set([...members.keys(), ...group.members.keys()])
      return state.users.filter(user => ids.has(user.id)).map(({ username }) => username)
    }
  },
  {
    template: 289,
    answer: async call => {
      const stars: Field = record => (record.star_count > 2 ? record.id : undefined)
      const found = await by('list_projects', { membership: true, per_page: 100 }, stars)(call)
      return found.filter(id => id !== undefined)
    },
    expected: ({ projects }) => projects.filter(({ stars }) => stars.size > 2).map(({ id }) => id)
  },
  {
    template: 325,
    answer: by('list_projects', { visibility: 'public', per_page: 100 }, id),
    expected: ({ projects }) =>
      projects.filter(({ visibility }) => visibility === 'public').map(({ id }) => id)
  },
  {
    template: 329,
    answer: by('get_project', { project_id }, record => record.ssh_url_to_repo.split(':').at(-1)),
    expected: state => [`${rocket(state).group.path}/rocket.git`]
  }
]
