import { Type } from 'typebox'
import type { Arguments } from '../../src/engine/arguments/values.ts'
import { wholeSha } from '../../src/engine/requests/sha.ts'
import {
  flag,
  forgeDefault,
  inert,
  oneOf,
  optional,
  Page,
  ProjectId,
  text
} from '../../src/engine/rows/fields.ts'
import { made } from '../../src/engine/rows/made-names.ts'
import { revision } from '../../src/engine/rows/revisions.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { isNoneAtAll } from '../families/lists/none-at-all.ts'

/** A SHA. Given a branch, the forge lists no statuses, instead of those of the branch's head. */
const Sha = Type.String({
  pattern: '^[0-9a-fA-F]{3,64}$',
  problem: 'must be the SHA of a commit: get_commit gives that of a branch or tag',
  description: 'SHA, not a branch'
})

const Short = (description: string) => Type.Optional(Type.String({ maxLength: 255, description }))

const GIVE_WHOLE = 'Give the whole SHA, which get_commit has as id.'

/** The notice about an empty list: for a short SHA the forge finds the commit, but none of its statuses. */
const noneOfShort = (value: unknown, args: Arguments): string | undefined =>
  isNoneAtAll(value, args) && !wholeSha.test(String(args.sha)) ? GIVE_WHOLE : undefined

export const statusRows: readonly ToolRow[] = [
  rest({
    name: 'list_commit_statuses',
    class: 'read',
    title: 'Commit statuses',
    summary: 'List the jobs and outside statuses of a commit.',
    record: 'commit_status',
    input: Type.Object({
      project_id: ProjectId,
      sha: Sha,
      ref: optional(revision()),
      stage: optional(text()),
      name: optional(text()),
      pipeline_id: optional(text()),
      all: optional(flag('Not only the latest of each name')),
      order_by: optional(oneOf(['id', 'pipeline_id'])),
      sort: optional(oneOf(['asc', 'desc'])),
      ...Page
    }),
    request: 'GET /projects/{project_id}/repository/commits/{.sha}/statuses',
    notice: noneOfShort
  }),
  rest({
    name: 'create_commit_status',
    class: 'write',
    title: 'Set commit status',
    summary: 'Report a check of a commit; the same name again updates it. Without a pipeline one is made.',
    record: 'commit_status',
    input: Type.Object(
      {
        project_id: ProjectId,
        sha: Sha,
        state: oneOf(['pending', 'running', 'success', 'failed', 'canceled', 'skipped']),
        name: optional(forgeDefault('default', made(text()))),
        ref: optional(revision()),
        description: optional(inert(Type.String({ maxLength: 255, description: 'One line' }))),
        target_url: Short('Where the details are'),
        coverage: Type.Optional(Type.Number({ description: 'Percent' })),
        pipeline_id: optional(text())
      },
      { instead: { context: 'did you mean "name"?' } }
    ),
    request: 'POST /projects/{project_id}/statuses/{.sha}',
    numeric: ['pipeline_id'],
    advice: {
      404: [[/commit not found/i, GIVE_WHOLE]],
      400: 'A status goes from pending over running to an end: read it with list_commit_statuses.'
    }
  })
]
