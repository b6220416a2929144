import { LEVEL, projectOf } from '../../access.ts'
import {
  bodyText,
  type Call,
  created,
  noContent,
  notFound,
  type Operations,
  ok,
  pagedByKey,
  queryText,
  refuse
} from '../../http.ts'
import { resolveRef } from '../../model/history.ts'
import { presentTag } from '../../present/repository.ts'
import type { Tag } from '../../types.ts'
import { codeOf } from './code.ts'

/** Compares names with their numbers as numbers, so v1.10 comes after v1.9. */
const byVersion = (a: Tag, b: Tag) => a.name.localeCompare(b.name, 'en', { numeric: true })

const list = (call: Call) => {
  const project = codeOf(call)
  const search = queryText(call, 'search')?.toLowerCase() ?? ''
  const order = queryText(call, 'order_by') ?? 'updated'
  const updated = ({ sha, createdAt }: Tag) => createdAt ?? project.commits.get(sha)!.createdAt
  const compare = {
    name: (a: Tag, b: Tag) => (a.name < b.name ? -1 : 1),
    version: byVersion,
    updated: (a: Tag, b: Tag) => (updated(a) < updated(b) ? -1 : 1)
  }[order]
  const rows = [...project.repository.tags.values()]
    .filter(({ name }) => name.toLowerCase().includes(search.replace(/^\^|\$$/g, '')))
    .sort(compare)
  if ((queryText(call, 'sort') ?? 'desc') === 'desc') rows.reverse()
  return pagedByKey(
    call,
    rows,
    ({ name }) => name,
    tag => presentTag(call.state, project, tag)
  )
}

const tagOf = (call: Call) => {
  const project = codeOf(call)
  const tag = project.repository.tags.get(call.params.tag_name ?? '')
  if (!tag) throw notFound('Tag')
  return { project, tag }
}

const create = (call: Call) => {
  const project = projectOf(call, LEVEL.developer)
  const [name, ref, message] = ['tag_name', 'ref', 'message'].map(key => bodyText(call, key))
  if (!name || /^(?:-|refs\/(?:heads|tags|remotes)\/)|[\s~^:?*[\\]|\.\.|\/$|\.lock$/.test(name))
    throw refuse(400, 'Tag name invalid')
  if (project.repository.tags.has(name)) throw refuse(400, `Tag ${name} already exists`)
  const commit = resolveRef(project, ref ?? '')
  if (!commit) throw refuse(400, `Target ${ref} is invalid`)
  const tag: Tag = {
    name,
    sha: commit.sha,
    message: message ?? null,
    target: message ? call.state.hash('tag', project.id, name, message) : commit.sha,
    createdAt: message ? call.state.time() : null
  }
  project.repository.tags.set(name, tag)
  return created(presentTag(call.state, project, tag))
}

export const tagOperations: Operations = {
  list_tags: list,
  get_tag: call => {
    const { project, tag } = tagOf(call)
    return ok(presentTag(call.state, project, tag))
  },
  create_tag: create,
  delete_tag: call => {
    projectOf(call, LEVEL.developer)
    const { project, tag } = tagOf(call)
    project.repository.tags.delete(tag.name)
    project.releases = project.releases.filter(release => release.tag !== tag.name)
    return noContent()
  }
}
