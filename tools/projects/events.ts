import { Type } from 'typebox'
import type { Arguments } from '../../src/engine/arguments/values.ts'
import { DAY_MS, timeOf } from '../../src/engine/rows/calendar.ts'
import { atMostOneOf, notWith } from '../../src/engine/rows/checks.ts'
import {
  Day,
  forgeDefault,
  idOr,
  OptionalProjectId,
  oneOf,
  optional,
  Page
} from '../../src/engine/rows/fields.ts'
import { rest } from '../../src/engine/rows/row.ts'
import { isEmptyList } from '../../src/results/is-record.ts'
import { commentTools } from '../families/items/comment-tools.ts'

/**
 * The notice for an empty list between two days. A forge excludes both days, so it silently lists nothing for a single
 * day, or for today.
 */
const daysBetween = (value: unknown, { after, before }: Arguments): string | undefined => {
  const end = before === undefined ? Math.floor(Date.now() / DAY_MS) + 1 : daysOf(before)
  if (!isEmptyList(value) || !(end - daysOf(after) < 2)) return undefined
  return before === undefined
    ? `No day has begun after ${after}, which is left out itself: for today give the day before it.`
    : `No day lies between after ${after} and before ${before}, which are left out themselves: for one day give the day before it and the day after it.`
}

const daysOf = (day: unknown): number => timeOf(day) / DAY_MS

/** The notice for comments with a target_type. Comments are events on notes, whatever the notes are on. */
const ofNotes = (value: unknown, { action, target_type: target }: Arguments): string | undefined =>
  isEmptyList(value) && action === 'commented' && target !== undefined && target !== 'note'
    ? 'Comments have target_type note: leave it out. What a comment is on is in target_title.'
    : undefined

/** No forge lists the events of one person in one project. */
const projectOrPerson = atMostOneOf(
  ['project_id', 'user'],
  ': give user alone, as each event has its project_id'
)

/** Actions as events show them, where these differ from the words in the filter. */
const shownAs = {
  opened: 'created',
  accepted: 'merged',
  deleted: 'destroyed',
  commented_on: 'commented',
  pushed_to: 'pushed',
  pushed_new: 'pushed'
}

const Beside = { ...Day, description: 'A date, left out itself' }

export const eventRow = rest({
  name: 'list_events',
  class: 'read',
  noProject: true,
  title: 'Events',
  summary: 'List what happened in a project, what a person did, or what you did.',
  input: Type.Object({
    project_id: OptionalProjectId,
    user: optional({ ...idOr('Id or username'), username: true }),
    action: optional({
      ...oneOf([
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
        'expired',
        'approved'
      ]),
      alias: shownAs
    }),
    target_type: optional({
      ...oneOf([
        'issue',
        'milestone',
        'merge_request',
        'note',
        'project',
        'snippet',
        'user',
        'wiki',
        'design'
      ]),
      alias: {
        mr: 'merge_request',
        comment: 'note',
        // The types as events show them.
        diffnote: 'note',
        discussionnote: 'note',
        'wikipage::meta': 'wiki',
        'designmanagement::design': 'design'
      }
    }),
    before: optional(Beside),
    after: optional(Beside),
    scope: optional(oneOf(['all'], 'Of all your projects')),
    sort: optional(forgeDefault('desc', oneOf(['asc', 'desc']))),
    ...Page
  }),
  check: [projectOrPerson, notWith('project_id', 'scope'), notWith('user', 'scope')],
  notice: (value, args) => daysBetween(value, args) ?? ofNotes(value, args),
  request: ['GET /projects/{project_id}/events', 'GET /users/{.user}/events', 'GET /events'],
  record: 'event',
  shows: { 'note.body': commentTools },
  advice: { 404: 'Check the person: find_users finds people by name.' }
})
