import { Type } from 'typebox'
import { sameName } from '../../src/engine/arguments/same-name.ts'
import { atMostOne, exactlyOne, notWith } from '../../src/engine/rows/checks.ts'
import {
  flag,
  groupId,
  OptionalProjectId,
  ofPeople,
  optional,
  Page,
  usernameFilter
} from '../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { byUsername, OneUser, oneUser } from '../families/people/people.ts'
import { withRoles } from '../families/people/roles.ts'

/**
 * The filters under the names that each of the three lists uses. Only the list of all people can filter by more than a
 * search text.
 */
const filters = ({ search, username, active = true, ...args }: Record<string, unknown>) => {
  if (args.project_id !== undefined) return { ...args, search: search ?? username }
  if (args.group_id !== undefined) return { ...args, query: search ?? username }
  return { ...args, search, username, active, humans: true }
}

/** Compares the username. The lists of a project and a group have no filter for an exact username. */
const exactly = (people: unknown, { username }: Readonly<Record<string, unknown>>): unknown => {
  if (username === undefined || !Array.isArray(people)) return people
  const isWanted = sameName(String(username))
  return people.filter(person => isWanted(person?.username))
}

export const userRows: readonly ToolRow[] = [
  rest({
    name: 'find_users',
    class: 'read',
    doesWith: { project_id: 'list_members', group_id: 'list_members' },
    noProject: { active: ['true', 'false'] },
    title: 'People',
    summary: 'Find people by name or exact username, of the whole forge, or with their role of a group.',
    input: Type.Object({
      search: optional(ofPeople('Or username: part of a name, username or public email')),
      username: optional(usernameFilter('Exact')),
      project_id: OptionalProjectId,
      group_id: optional(groupId('Instead of project_id')),
      active: optional(flag('true: of the whole forge, no default project; false: also blocked people')),
      ...Page
    }),
    check: [
      exactlyOne('search', 'username'),
      atMostOne('project_id', 'group_id'),
      notWith('project_id', 'active'),
      notWith('group_id', 'active')
    ],
    request: ['GET /projects/{project_id}/users', 'GET /groups/{group_id}/members/all', 'GET /users'],
    adapt: filters,
    shape: (value, args) => withRoles(exactly(value, args)),
    record: 'person'
  }),
  rest({
    name: 'get_user',
    class: 'read',
    title: 'Person',
    summary: 'Get the profile of one.',
    input: Type.Object(OneUser),
    check: [oneUser],
    lookup: { ...byUsername, orId: true },
    request: 'GET /users/{user_id}',
    local: ['username'],
    record: 'user'
  })
]
