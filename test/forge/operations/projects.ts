import { extname } from 'node:path'
import { groupLevel, LEVEL, levelIn, lookupGroup, personOf, projectOf, visibleProjects } from '../access.ts'
import {
  bodyFlag,
  bodyList,
  bodyText,
  type Call,
  created,
  forbidden,
  notFound,
  type Operations,
  ok,
  paged,
  queryFlag,
  queryText,
  type Reply,
  refuse
} from '../http.ts'
import { push } from '../model/history.ts'
import { addProject, ownSpace } from '../model/make.ts'
import { fullPath, groupPath, lineage, membershipOf } from '../model/places.ts'
import { type Keys, keyOf, likeness, ordered, within } from '../model/rows.ts'
import { presentNamespace, presentProject, presentProjectSimple } from '../present/place.ts'
import type { Group, Project, Visibility } from '../types.ts'

const given = (call: Call, name: string, test: (wanted: string) => boolean): boolean => {
  const wanted = queryText(call, name)
  return wanted === undefined || test(wanted)
}

const filters = (call: Call) => (project: Project) => {
  const { user, state } = call
  const member = membershipOf(project, user)
  const search = queryText(call, 'search')?.toLowerCase()
  const searched = queryFlag(call, 'search_namespaces') ? fullPath(project) : project.path
  const language = queryText(call, 'with_programming_language')
  return (
    (!queryFlag(call, 'membership') || member !== undefined) &&
    (!queryFlag(call, 'owned') || member?.level === LEVEL.owner) &&
    (!queryFlag(call, 'starred') || project.stars.has(user.id)) &&
    given(call, 'archived', wanted => project.archived === (wanted === 'true')) &&
    given(call, 'active', wanted => !project.archived === (wanted === 'true')) &&
    given(call, 'visibility', wanted => project.visibility === wanted) &&
    given(call, 'topic', wanted => project.topics.includes(wanted)) &&
    given(call, 'min_access_level', wanted => (member?.level ?? 0) >= Number(wanted)) &&
    (!language ||
      Object.keys(languagesOf(project)).some(name => name.toLowerCase() === language.toLowerCase())) &&
    within(call, 'last_activity', Date.parse(presentProjectSimple(state, project).last_activity_at)) &&
    (!search || [project.name, searched].some(text => text.toLowerCase().includes(search)))
  )
}

const orderedProjects = (call: Call, rows: Project[]) => {
  const lastActivity = (project: Project) => presentProjectSimple(call.state, project).last_activity_at
  const keys: Keys<Project> = {
    id: ({ id }) => id,
    name: ({ name }) => name,
    path: ({ path }) => path,
    star_count: ({ stars }) => stars.size,
    created_at: ({ createdAt }) => createdAt,
    updated_at: lastActivity,
    last_activity_at: lastActivity,
    similarity: ({ name }) => likeness(call, name)
  }
  return ordered(call, rows, keyOf(call, keys, 'created_at'), 'desc')
}

/** A keyset page. Only its Link header says which page is next (docs: REST API, keyset-based pagination). */
const keyset = (call: Call, rows: Project[]): Reply => {
  if (queryText(call, 'order_by') !== 'id')
    throw refuse(405, 'Keyset pagination is not yet available for this type of request')
  const perPage = Number(queryText(call, 'per_page') ?? 20)
  const isAscending = queryText(call, 'sort') === 'asc'
  const after = Number(queryText(call, isAscending ? 'id_after' : 'id_before') ?? Number.NaN)
  const left = rows.filter(({ id }) => Number.isNaN(after) || (isAscending ? id > after : id < after))
  const page = left.slice(0, perPage)
  const params = new URLSearchParams(call.search)
  params.set(isAscending ? 'id_after' : 'id_before', String(page.at(-1)?.id))
  const link = `<${call.state.url}${call.path}?${params}>; rel="next"`
  return {
    status: 200,
    headers: left.length > page.length ? { link } : {},
    body: page.map(project => presentProjectSimple(call.state, project))
  }
}

const list = (call: Call, rows: Project[]) => {
  const wanted = orderedProjects(call, rows.filter(filters(call)))
  if (queryText(call, 'pagination') === 'keyset') return keyset(call, wanted)
  return paged(call, wanted, project =>
    queryFlag(call, 'simple')
      ? presentProjectSimple(call.state, project)
      : presentProject(call.state, call.user, project)
  )
}

const LANGUAGES: Record<string, string> = {
  '.ts': 'TypeScript',
  '.js': 'JavaScript',
  '.html': 'HTML',
  '.css': 'CSS'
}

/** Bytes and counts, for reporters (docs: projects API). The sandbox only has files and commits to count. */
const statisticsOf = ({ commits, branches, defaultBranch }: Project) => {
  const { files = {} } = commits.get(branches.get(defaultBranch)?.sha ?? '') ?? {}
  const size = Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const nothing = [
    'wiki',
    'lfs_objects',
    'job_artifacts',
    'pipeline_artifacts',
    'packages',
    'snippets',
    'uploads'
  ]
  return {
    commit_count: commits.size,
    storage_size: size,
    repository_size: size,
    ...Object.fromEntries(nothing.map(what => [`${what}_size`, 0])),
    container_registry_size: 0
  }
}

/** Languages in percent, by bytes of the files on the default branch. */
const languagesOf = (project: Project): Record<string, number> => {
  const tip = project.branches.get(project.defaultBranch)
  const bytes = new Map<string, number>()
  for (const [path, text] of Object.entries(project.commits.get(tip?.sha ?? '')?.files ?? {})) {
    const language = LANGUAGES[extname(path)]
    if (language) bytes.set(language, (bytes.get(language) ?? 0) + text.length)
  }
  const all = [...bytes.values()].reduce((sum, size) => sum + size, 0)
  return Object.fromEntries([...bytes].map(([name, size]) => [name, Math.round((size / all) * 10_000) / 100]))
}

/** The namespace for a new project, if the caller may create projects there. */
const targetSpace = (call: Call, wanted: string | null | undefined): Group => {
  if (!wanted) return ownSpace(call.state, personOf(call))
  const space = call.state.groups.find(
    group => String(group.id) === wanted || groupPath(group).toLowerCase() === wanted.toLowerCase()
  )
  if (!space || (space.owner !== null && space.owner !== call.user) || groupLevel(call.user, space) === 0)
    throw notFound('Namespace')
  if (groupLevel(call.user, space) < LEVEL.developer) throw forbidden()
  return space
}

const slug = (name: string) => name.toLowerCase().replace(/[^a-z0-9_.-]+/g, '-')

const checkPath = (path: string): void => {
  if (!/^[a-z0-9_][a-z0-9_.-]*$/i.test(path))
    throw refuse(400, { path: ['can contain only letters, digits, "_", "-" and "."'] })
}

const newProject = (call: Call, space: Group, name: string, path: string): Project => {
  const { state } = call
  checkPath(path)
  if (state.projects.some(project => project.group === space && project.path === path))
    throw refuse(400, { name: ['has already been taken'], path: ['has already been taken'] })
  const project = addProject(state, space, path, name)
  project.createdAt = state.time()
  project.description = bodyText(call, 'description') ?? null
  project.visibility = (bodyText(call, 'visibility') ?? 'private') as Visibility
  return project
}

const create = (call: Call) => {
  const { state, user } = call
  const name = bodyText(call, 'name') ?? bodyText(call, 'path')
  if (!name) throw refuse(400, { name: ["can't be blank"] })
  const space = targetSpace(call, bodyText(call, 'namespace_id'))
  const project = newProject(call, space, name, bodyText(call, 'path') ?? slug(name))
  project.topics = bodyList(call, 'topics') ?? []
  project.defaultBranch = bodyText(call, 'default_branch') ?? 'main'
  if (bodyText(call, 'import_url')) project.importStatus = 'scheduled'
  if (bodyFlag(call, 'initialize_with_readme'))
    push(state, project, project.defaultBranch, {
      message: 'Initial commit',
      author: user,
      files: { 'README.md': `# ${name}\n` }
    })
  return created(presentProject(state, user, project))
}

const fork = (call: Call) => {
  const source = projectOf(call, LEVEL.reporter)
  const space = targetSpace(call, bodyText(call, 'namespace_path') ?? bodyText(call, 'namespace_id'))
  const path = bodyText(call, 'path') ?? source.path
  if (call.state.projects.some(project => project.group === space && project.path === path))
    throw refuse(409, { name: ['has already been taken'], path: ['has already been taken'] })
  const project = newProject(call, space, bodyText(call, 'name') ?? source.name, path)
  const only = bodyText(call, 'branches')
  Object.assign(project, {
    forkedFrom: source,
    importStatus: 'scheduled',
    defaultBranch: source.defaultBranch,
    commits: new Map(source.commits),
    branches: new Map(
      [...source.branches]
        .filter(([name]) => !only || name === only)
        .map(([name, branch]) => [name, { ...branch }])
    )
  })
  return created(presentProject(call.state, call.user, project))
}

const update = (call: Call) => {
  const project = projectOf(call, LEVEL.maintainer)
  const { settings } = project
  const { body } = call
  const name = bodyText(call, 'name')
  if (name?.trim() === '') throw refuse(400, { name: ["can't be blank"] })
  const branch = bodyText(call, 'default_branch')
  if (branch && !project.branches.has(branch))
    throw refuse(400, { base: ['Could not set the default branch. Do you have a branch named that?'] })
  const path = bodyText(call, 'path')
  if (path && path !== project.path) {
    checkPath(path)
    project.formerPaths.push(fullPath(project))
    project.path = path
  }
  project.name = name ?? project.name
  if ('description' in body) project.description = bodyText(call, 'description') ?? null
  project.defaultBranch = branch ?? project.defaultBranch
  project.topics = bodyList(call, 'topics') ?? project.topics
  project.visibility = (bodyText(call, 'visibility') ?? project.visibility) as Visibility
  settings.mergeMethod = bodyText(call, 'merge_method') ?? settings.mergeMethod
  settings.squashOption = bodyText(call, 'squash_option') ?? settings.squashOption
  settings.pipelineMustSucceed =
    bodyFlag(call, 'only_allow_merge_if_pipeline_succeeds') ?? settings.pipelineMustSucceed
  settings.threadsMustBeResolved =
    bodyFlag(call, 'only_allow_merge_if_all_discussions_are_resolved') ?? settings.threadsMustBeResolved
  settings.removeSourceBranch =
    bodyFlag(call, 'remove_source_branch_after_merge') ?? settings.removeSourceBranch
  if ('ci_config_path' in body) settings.ciConfigPath = bodyText(call, 'ci_config_path') ?? null
  for (const [key, level] of Object.entries(body))
    if (key.endsWith('_access_level')) settings.features[key.replace('_access_level', '')] = String(level)
  return ok(presentProject(call.state, call.user, project))
}

const archive = (call: Call, archived: boolean) => {
  const project = projectOf(call, LEVEL.owner)
  project.archived = archived
  return created(presentProject(call.state, call.user, project))
}

const star = (call: Call, on: boolean): Reply => {
  const project = projectOf(call)
  const user = personOf(call)
  if (project.stars.has(user.id) === on) return { status: 304 }
  if (on) project.stars.add(user.id)
  else project.stars.delete(user.id)
  return created(presentProjectSimple(call.state, project))
}

/** Operations on projects and the namespaces that hold them. */
export const projectOperations: Operations = {
  list_projects: call => list(call, visibleProjects(call.state, call.user)),
  list_group_projects: call => {
    const group = lookupGroup(call, call.params.id ?? '')
    const deep = queryFlag(call, 'include_subgroups')
    return list(
      call,
      visibleProjects(call.state, call.user).filter(project =>
        deep ? lineage(project.group).includes(group) : project.group === group
      )
    )
  },
  get_project: call => {
    const project = projectOf(call)
    const record = presentProject(call.state, call.user, project)
    const isCounted = queryFlag(call, 'statistics') && levelIn(call.user, project) >= LEVEL.reporter
    const shown = ok(isCounted ? { ...record, statistics: statisticsOf(project) } : record)
    // An import or a fork is finished when it is read the next time.
    if (project.importStatus === 'scheduled') project.importStatus = 'finished'
    return shown
  },
  get_project_languages: call => ok(languagesOf(projectOf(call))),
  create_project: create,
  fork_project: fork,
  update_project: update,
  archive_project: call => archive(call, true),
  unarchive_project: call => archive(call, false),
  star_project: call => star(call, true),
  unstar_project: call => star(call, false),
  get_namespace: call => ok(presentNamespace(call.state, targetSpace(call, call.params.id)))
}
