import { Type } from 'typebox'
import { flag, optional, Page, ProjectId, ProjectOrGroup, text } from '../../src/catalog/fields.ts'
import { rest, type ToolRow } from '../../src/catalog/row.ts'
import { type Arguments, notWith } from '../../src/engine/checks.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { CallProblem } from '../../src/engine/problem.ts'
import { projectIdOf } from '../../src/engine/project-id.ts'
import { placeOf } from '../../src/engine/template.ts'

const tags = '/projects/{project_id}/registry/repositories/{repository_id}/tags'
const repository = { project_id: ProjectId, repository_id: text() }

/**
 * A repository has one number over all projects, and a wrong one would delete another's tag.
 * @throws CallProblem where it is another project's
 */
async function inThisProject(args: Arguments, context: ToolContext): Promise<Arguments> {
  const place = placeOf('GET /registry/repositories/{repository_id}', args)
  const { value } = await context.forge.send({ method: 'GET', ...place })
  const owner = (value as { project_id?: unknown } | undefined)?.project_id
  if (owner !== (await projectIdOf(args, context)))
    throw new CallProblem(
      `Registry repository ${args.repository_id} is not of this project. Nothing was deleted: take repository_id from list_registry_repositories.`
    )
  return args
}

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
    input: Type.Object({ ...repository, ...Page }),
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
    record: 'registry_tag'
  }),
  rest({
    name: 'delete_registry_tag',
    class: 'destructive',
    title: 'Delete image tag',
    summary: 'Delete a tag; old registries delete all tags of the same image with it.',
    input: Type.Object({ ...repository, tag_name: text() }),
    adapt: inThisProject,
    request: `DELETE ${tags}/{.tag_name}`,
    done: 'The tag is deleted.',
    advice: {
      400: 'The registry refused to delete it: get_registry_tag shows whether it is still there.',
      403: 'It takes the Developer role, and a tag that is not protected.'
    }
  })
]
