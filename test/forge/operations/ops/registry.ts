import { groupOf, LEVEL, levelIn, projectOf, visibleProjects } from '../../access.ts'
import { type Call, forbidden, notFound, type Operations, ok, paged, queryFlag } from '../../http.ts'
import type { Image, ImageTag, Placed } from '../../types.ts'

const pathOf = ({ project, thing }: Placed<Image>) => `${project.group.path}/${project.path}/${thing.name}`

const present = (call: Call, row: Placed<Image>) => ({
  id: row.thing.id,
  name: row.thing.name,
  path: pathOf(row),
  project_id: row.project.id,
  location: `registry.acme.example/${pathOf(row)}`,
  created_at: row.thing.createdAt,
  cleanup_policy_started_at: null,
  status: null,
  ...(queryFlag(call, 'tags_count') ? { tags_count: row.thing.tags.length } : {})
})

const imagesIn = (call: Call): Placed<Image>[] => {
  const project = projectOf(call)
  return project.ops.images.map(thing => ({ project, thing }))
}

const imageOf = (call: Call): Placed<Image> => {
  const found = imagesIn(call).find(({ thing }) => String(thing.id) === call.params.repository_id)
  if (!found) throw notFound('Repository')
  return found
}

const presentTag = (row: Placed<Image>, { name }: ImageTag) => ({
  name,
  path: `${pathOf(row)}:${name}`,
  location: `registry.acme.example/${pathOf(row)}:${name}`
})

const tagOf = (call: Call, { thing }: Placed<Image>): ImageTag => {
  const found = thing.tags.find(({ name }) => name === call.params.tag_name)
  if (!found) throw notFound('Tag')
  return found
}

export const registryOperations: Operations = {
  list_project_registry_repositories: call => paged(call, imagesIn(call), row => present(call, row)),
  list_group_registry_repositories: call => {
    const group = groupOf(call)
    const rows = visibleProjects(call.state, call.user)
      .filter(project => project.group === group)
      .flatMap(project => project.ops.images.map(thing => ({ project, thing })))
    return paged(call, rows, row => present(call, row))
  },
  get_registry_repository: call => {
    const rows = visibleProjects(call.state, call.user).flatMap(project =>
      project.ops.images.map(thing => ({ project, thing }))
    )
    const found = rows.find(({ thing }) => String(thing.id) === call.params.id)
    if (!found) throw notFound('Container Repository')
    return ok(present(call, found))
  },
  list_registry_tags: call => {
    const image = imageOf(call)
    return paged(call, image.thing.tags, tag => presentTag(image, tag))
  },
  get_registry_tag: call => {
    const image = imageOf(call)
    const tag = tagOf(call, image)
    const revision = tag.digest.replace('sha256:', '')
    return ok({
      ...presentTag(image, tag),
      revision,
      short_revision: revision.slice(0, 9),
      digest: tag.digest,
      created_at: tag.createdAt,
      total_size: tag.size
    })
  },
  delete_registry_tag: call => {
    const image = imageOf(call)
    if (levelIn(call.user, image.project) < LEVEL.developer) throw forbidden()
    const tag = tagOf(call, image)
    if (tag.protected) throw forbidden('Tag is protected')
    image.thing.tags = image.thing.tags.filter(other => other !== tag)
    return ok(undefined)
  }
}
