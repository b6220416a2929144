import { groupOf, LEVEL, levelIn, projectOf, visibleProjects } from '../../access.ts'
import {
  type Call,
  forbidden,
  noContent,
  notFound,
  type Operations,
  ok,
  paged,
  queryText
} from '../../http.ts'
import { keyOf } from '../../model/rows.ts'
import { presentPipelineBasic } from '../../present/pipeline.ts'
import type { Package, Placed } from '../../types.ts'

const present = (call: Call, { project, thing }: Placed<Package>) => ({
  id: thing.id,
  name: thing.name,
  version: thing.version,
  package_type: thing.type,
  status: 'default',
  _links: { web_path: `/${project.group.path}/${project.path}/-/packages/${thing.id}` },
  created_at: thing.createdAt,
  last_downloaded_at: null,
  tags: [{ id: 1, package_id: thing.id, name: 'latest' }],
  pipeline: thing.pipeline ? presentPipelineBasic(call.state, thing.pipeline) : null,
  pipelines: thing.pipeline ? [presentPipelineBasic(call.state, thing.pipeline)] : []
})

const KEYS: Record<string, (row: Placed<Package>) => string> = {
  created_at: ({ thing }) => thing.createdAt,
  name: ({ thing }) => thing.name,
  version: ({ thing }) => thing.version,
  type: ({ thing }) => thing.type,
  project_path: ({ project }) => project.path
}

const list = (call: Call, rows: Placed<Package>[], show: (row: Placed<Package>) => unknown) => {
  const key = keyOf(call, KEYS, 'created_at')
  const sign = queryText(call, 'sort') === 'desc' ? -1 : 1
  const equal = (name: string, value: string) => (queryText(call, name) ?? value) === value
  const found = rows
    .filter(
      ({ thing }) =>
        equal('package_type', thing.type) &&
        equal('package_version', thing.version) &&
        equal('status', 'default') &&
        thing.name.includes(queryText(call, 'package_name') ?? '')
    )
    .sort((a, b) => sign * key(a).localeCompare(key(b)))
  return paged(call, found, show)
}

const packageOf = (call: Call): Placed<Package> => {
  const project = projectOf(call)
  const thing = project.ops.packages.find(({ id }) => String(id) === call.params.package_id)
  if (!thing) throw notFound('Package')
  return { project, thing }
}

export const packageOperations: Operations = {
  list_project_packages: call => {
    const project = projectOf(call)
    const rows = project.ops.packages.map(thing => ({ project, thing }))
    return list(call, rows, row => present(call, row))
  },
  list_group_packages: call => {
    const group = groupOf(call)
    const rows = visibleProjects(call.state, call.user)
      .filter(project => project.group === group)
      .flatMap(project => project.ops.packages.map(thing => ({ project, thing })))
    return list(call, rows, row => ({
      ...present(call, row),
      project_id: row.project.id,
      project_path: `${group.path}/${row.project.path}`
    }))
  },
  get_package: call => {
    const found = packageOf(call)
    const { name, type, id } = found.thing
    const versions = found.project.ops.packages
      .filter(other => other.name === name && other.type === type && other.id !== id)
      .map(thing => present(call, { project: found.project, thing }))
      .map(({ id, version, created_at, tags, pipeline }) => ({ id, version, created_at, tags, pipeline }))
    return ok({ ...present(call, found), versions })
  },
  list_package_files: call => {
    const { thing } = packageOf(call)
    return paged(call, thing.files, ({ id, name, size, sha256 }) => ({
      id,
      package_id: thing.id,
      created_at: thing.createdAt,
      file_name: name,
      size,
      file_md5: call.state.hash('md5', sha256).slice(0, 32),
      file_sha1: call.state.hash('sha1', sha256),
      file_sha256: sha256,
      pipelines: []
    }))
  },
  delete_package: call => {
    const { project, thing } = packageOf(call)
    if (levelIn(call.user, project) < LEVEL.maintainer || thing.protected)
      throw forbidden('Package is deletion protected.')
    project.ops.packages = project.ops.packages.filter(other => other !== thing)
    return noContent()
  }
}
