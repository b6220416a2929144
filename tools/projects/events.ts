import { Type } from 'typebox'
import {
  Day,
  forgeDefault,
  idOr,
  OptionalProjectId,
  oneOf,
  optional,
  Page
} from '../../src/catalog/fields.ts'
import { rest } from '../../src/catalog/row.ts'
import { type Arguments, atMostOne, notWith } from '../../src/engine/checks.ts'
import { isEmptyList } from '../../src/results/is-record.ts'

const DAY_MS = 86_400_000

/** A forge leaves both days out: of one day alone it lists nothing, without a word. */
const daysBetween = (value: unknown, { after, before }: Arguments): string | undefined =>
  isEmptyList(value) && daysOf(before) - daysOf(after) < 2
    ? `No day lies between after ${after} and before ${before}, which are left out themselves: for one day give the day before it and the day after it.`
    : undefined

const daysOf = (day: unknown): number => Date.parse(String(day)) / DAY_MS

export const eventRow = rest({
  name: 'list_events',
  class: 'read',
  title: 'Events',
  summary: 'List what happened in a project, what a person did, or what you did.',
  input: Type.Object({
    project_id: OptionalProjectId,
    user: optional({ ...idOr('Id or username'), username: true }),
    action: optional(
      oneOf([
        'created',
        'updated',
        'closed',
        'reopened',
        'pushed',
        'commented',
        'merged',
        'joined',
        'left',
        'destroyed',
        'expired'
      ])
    ),
    target_type: optional(
      oneOf(['issue', 'milestone', 'merge_request', 'note', 'project', 'snippet', 'user'])
    ),
    before: optional({ ...Day, description: 'A date' }),
    after: optional({ ...Day, description: 'A date' }),
    scope: optional(oneOf(['all'], 'Of all your projects')),
    sort: optional(forgeDefault('desc', oneOf(['asc', 'desc']))),
    ...Page
  }),
  check: [atMostOne('project_id', 'user'), notWith('project_id', 'scope'), notWith('user', 'scope')],
  notice: daysBetween,
  request: ['GET /projects/{project_id}/events', 'GET /users/{.user}/events', 'GET /events'],
  record: 'event'
})
