import { Type } from 'typebox'
import { atMostOne } from '../../src/engine/rows/checks.ts'
import {
  flag,
  groupId,
  OptionalProjectId,
  oneOf,
  optional,
  Page,
  text,
  texts
} from '../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { isNoneAtAll } from '../families/lists/none-at-all.ts'

export const runnerRows: readonly ToolRow[] = [
  rest({
    name: 'list_runners',
    class: 'read',
    noProject: true,
    title: 'Runners',
    summary: "List a project's, a group's, or those you own.",
    input: Type.Object({
      project_id: OptionalProjectId,
      group_id: optional(groupId('Or project_id')),
      type: optional(oneOf(['instance_type', 'group_type', 'project_type'])),
      status: optional(oneOf(['online', 'offline', 'stale', 'never_contacted'])),
      paused: optional(flag()),
      tag_list: optional(texts('All of them')),
      version_prefix: optional(text('Such as 18.')),
      ...Page
    }),
    check: [atMostOne('project_id', 'group_id')],
    request: ['GET /projects/{project_id}/runners', 'GET /groups/{group_id}/runners', 'GET /runners'],
    notice: (value, args) =>
      isNoneAtAll(value, args) && args.project_id === undefined && args.group_id === undefined
        ? 'You own none that fits: give project_id or group_id for those of a project or group.'
        : undefined,
    record: 'runner',
    advice: { 403: 'It takes the Maintainer role in a project, the Owner role in a group.' }
  })
]
