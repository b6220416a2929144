import { groupOf, projectOf, visibleProjects } from '../access.ts'
import { type Call, type Operations, paged, queryText, type Reply, refuse } from '../http.ts'
import { resolveRef } from '../model/history.ts'
import { lineage } from '../model/places.ts'
import type { Group, Project } from '../types.ts'
import { found, foundIn } from './finds.ts'
import { codeOf } from './repository/code.ts'

const CONTEXT = 2

interface Match {
  path: string
  startline: number
  data: string
}

/** A filter as a pattern: basic search compares it with whole paths (Gitlab::FileFinder). */
const glob = (pattern: string, end = '') =>
  new RegExp(
    `${pattern
      .split('*')
      .map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}${end}`,
    'i'
  )

/** Separates the words of a query from its filters (docs: search in code). */
const readQuery = (search: string) => {
  const words = search.split(/\s+/)
  const filter = (name: string) => words.find(word => word.startsWith(`${name}:`))?.slice(name.length + 1)
  const [filename, extension, path] = ['filename', 'extension', 'path'].map(filter)
  const text = words
    .filter(word => !/^(filename|extension|path):/.test(word))
    .join(' ')
    .toLowerCase()
  const fits = (file: string) =>
    (!filename || glob(filename, '$').test(file)) &&
    (!extension || glob(`.${extension}`, '$').test(file)) &&
    (!path || glob(path).test(file))
  return { text, fits }
}

const around = (lines: string[], at: number): Omit<Match, 'path'> => {
  const from = Math.max(0, at - CONTEXT)
  return { startline: from + 1, data: `${lines.slice(from, at + CONTEXT + 1).join('\n')}\n` }
}

/** Basic search: file names first, then lines. */
const blobs = (call: Call, project: Project): Reply => {
  const ref = queryText(call, 'ref') ?? project.defaultBranch
  const files = Object.entries(resolveRef(project, ref)?.files ?? {})
  const { text, fits } = readQuery(queryText(call, 'search') ?? '')
  const searched = files.filter(([path]) => fits(path))
  const named = searched
    .filter(([path]) => path.toLowerCase().includes(text))
    .map(([path, content]): Match => ({ path, ...around(content.split('\n'), 0) }))
  const lines = searched.flatMap(([path, content]) => {
    const all = content.split('\n')
    return all.flatMap((line, at) =>
      line.toLowerCase().includes(text) ? [{ path, ...around(all, at) }] : []
    )
  })
  return paged(call, [...named, ...lines], ({ path, startline, data }) => ({
    basename: path.replace(/\.[^./]*$/, ''),
    data,
    path,
    filename: path,
    id: null,
    ref,
    startline,
    project_id: project.id
  }))
}

/** Scopes that only a search in a project has. The others are in operations/finds.ts. */
const scopes: Record<string, (call: Call, project: Project) => Reply> = { blobs }

/** Scopes that need advanced search beyond one project. This forge does not have it. */
const ADVANCED = ['blobs', 'commits', 'wiki_blobs', 'notes']

const findings = (call: Call, projects: readonly Project[], group?: Group): Reply => {
  const scope = queryText(call, 'scope') ?? ''
  if (ADVANCED.includes(scope)) throw refuse(400, 'Scope not supported without Elasticsearch!')
  return found(call, scope, projects, group)
}

const searchProject = (call: Call): Reply => {
  const scope = queryText(call, 'scope') ?? ''
  return scopes[scope]?.(call, codeOf(call)) ?? foundIn(call, scope, projectOf(call))
}

const searchGroup = (call: Call): Reply => {
  const group = groupOf(call)
  const inside = visibleProjects(call.state, call.user).filter(project =>
    lineage(project.group).includes(group)
  )
  return findings(call, inside, group)
}

export const searchOperations: Operations = {
  search_project: searchProject,
  search_project_by_old_path: searchProject,
  search_group: searchGroup,
  search_group_by_old_path: searchGroup,
  search_global: call => findings(call, visibleProjects(call.state, call.user))
}
