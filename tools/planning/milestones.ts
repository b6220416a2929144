import { Type } from 'typebox'
import type { Arguments } from '../../src/engine/arguments/values.ts'
import { numbersOnly, onlyWith, someChange } from '../../src/engine/rows/checks.ts'
import {
  Confirm,
  Day,
  DayOrNone,
  flag,
  inert,
  milestoneId,
  oneOf,
  optional,
  Page,
  ProjectOrGroup,
  text,
  texts,
  When
} from '../../src/engine/rows/fields.ts'
import { newName, renaming } from '../../src/engine/rows/made-names.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { isEmptyList } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'

const inOrder = ({ start_date: start, due_date: due }: Arguments): void => {
  if (start && due && String(due) < String(start))
    throw new CallProblem(`due_date ${due} is before start_date ${start}.`)
}

/**
 * The notice for an empty list: most milestones belong to groups, and a project's list includes those only on request.
 */
const ownOnly = (value: unknown, { include_ancestors, project_id }: Arguments): string | undefined =>
  include_ancestors === undefined && isEmptyList(value)
    ? `Only the ${project_id === undefined ? 'group' : 'project'}’s own: include_ancestors=true also lists those of groups above.`
    : undefined

const milestone = { ...ProjectOrGroup, milestone_id: milestoneId('Id or title, not iid') }
const oneOfList =
  'as this lists ids: title and iids find one, and the address of one goes in project_id or group_id'
const dates = { start_date: optional(Day), due_date: optional(Day) }

export const milestoneRows: readonly ToolRow[] = [
  rest({
    name: 'list_milestones',
    class: 'read',
    title: 'Milestones',
    summary: 'List milestones; milestone_id elsewhere is their id, a web address has their iid.',
    input: Type.Object(
      {
        ...ProjectOrGroup,
        state: optional(oneOf(['active', 'closed', 'all'])),
        title: optional(text('Exact')),
        search: optional(text()),
        iids: optional({ ...texts(), numberOf: 'milestone' }),
        include_ancestors: optional(flag('Of groups above too')),
        include_descendants: optional(flag('Of subgroups too')),
        updated_after: optional(When),
        updated_before: optional(When),
        ...Page
      },
      { instead: { milestone_id: oneOfList } }
    ),
    check: [onlyWith('group_id', 'include_descendants', 'updated_after', 'updated_before'), numbersOnly],
    request: 'GET {PG}/milestones',
    notice: ownOnly,
    record: 'milestone'
  }),
  rest({
    name: 'create_milestone',
    class: 'write',
    title: 'Create milestone',
    summary: 'Create a milestone.',
    input: Type.Object({
      ...ProjectOrGroup,
      title: newName(),
      description: optional(inert(text())),
      ...dates
    }),
    check: [inOrder],
    request: 'POST {PG}/milestones',
    record: 'milestone',
    advice: {
      400: 'A title that is taken, perhaps by a group above, is the usual reason: see list_milestones.'
    }
  }),
  rest({
    name: 'update_milestone',
    class: 'write',
    title: 'Update milestone',
    summary: 'Change, close or reopen a milestone.',
    input: Type.Object({
      ...milestone,
      title: optional(renaming('milestone_id', newName())),
      description: optional(inert(text())),
      start_date: optional(DayOrNone),
      due_date: optional(DayOrNone),
      state_event: optional(oneOf(['close', 'activate']))
    }),
    check: [someChange('project_id', 'group_id', 'milestone_id'), inOrder],
    request: 'PUT {PG}/milestones/{milestone_id}',
    record: 'milestone'
  }),
  rest({
    name: 'delete_milestone',
    class: 'destructive',
    title: 'Delete milestone',
    summary: 'Delete a milestone; its issues stay.',
    input: Type.Object({ ...milestone, confirm: Confirm('title') }),
    confirm: { read: 'GET {PG}/milestones/{milestone_id}', field: 'title', noun: 'milestone' },
    request: 'DELETE {PG}/milestones/{milestone_id}',
    local: ['confirm'],
    done: 'The milestone is deleted.'
  })
]
