import { Type } from 'typebox'
import { notWith } from '../../src/engine/rows/checks.ts'
import { flag, optional, Page, ProjectId, ProjectOrGroup, text } from '../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'

const tags = '/projects/{project_id}/registry/repositories/{repository_id}/tags'
const noTag = [[/\btag\b/i, 'There is no such tag: list_registry_tags has those there are.']] as const
/** The REST API has no filter for tags. */
const noFilter =
  'as tags are listed without a filter: get_registry_tag has the one of a tag_name, and per_page=100 lists more at once'

const repository = { project_id: ProjectId, repository_id: text() }

export const imageRows: readonly ToolRow[] = [
  rest({
    name: 'list_registry_repositories',
    class: 'read',
    title: 'Image repositories',
    summary: 'List container image repositories.',
    input: Type.Object({ ...ProjectOrGroup, tags_count: optional(flag('With project_id')), ...Page }),
    check: [notWith('tags_count', 'group_id')],
    request: 'GET {PG}/registry/repositories',
    record: 'registry_repository',
    advice: { 404: 'Check the ids; a forge without a container registry answers 404, too.' }
  }),
  rest({
    name: 'list_registry_tags',
    class: 'read',
    title: 'Image tags',
    summary: 'List the tags of an image repository; slow where there are thousands.',
    input: Type.Object(
      { ...repository, ...Page },
      { instead: { search: noFilter, query: noFilter, name: noFilter, tag_name: noFilter } }
    ),
    request: `GET ${tags}`,
    record: 'registry_tag'
  }),
  rest({
    name: 'get_registry_tag',
    class: 'read',
    title: 'Image tag',
    summary: 'Get digest, size and age of a tag.',
    input: Type.Object({ ...repository, tag_name: text() }),
    request: `GET ${tags}/{.tag_name}`,
    record: 'registry_tag',
    advice: { 404: noTag }
  }),
  rest({
    name: 'delete_registry_tag',
    class: 'destructive',
    title: 'Delete image tag',
    summary: 'Delete a tag; old registries delete all tags of the same image with it.',
    input: Type.Object({ ...repository, tag_name: text() }),
    subject: {
      read: 'GET /registry/repositories/{repository_id}',
      field: 'path',
      noun: 'registry repository',
      ofProject: true
    },
    request: `DELETE ${tags}/{.tag_name}`,
    done: 'The tag is deleted.',
    advice: {
      400: 'The registry refused to delete it: get_registry_tag shows whether it is still there.',
      403: 'It takes the Developer role, and a tag that is not protected.',
      404: noTag
    }
  })
]
