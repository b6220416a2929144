import { Type } from 'typebox'
import { onlyWith } from '../../src/engine/rows/checks.ts'
import {
  Confirm,
  DayOrNone,
  flag,
  ofPeople,
  optional,
  Page,
  ProjectOrGroup,
  text,
  userIds
} from '../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { isEmptyList } from '../../src/results/is-record.ts'
import { isMember } from '../../src/results/records/places.ts'
import { byUsername, OneUser, oneUser } from '../families/people/people.ts'
import { givenRole, isRole, levelOf, withRoles } from '../families/people/roles.ts'
import { stillMember } from './still-member.ts'

const ofEach = 'as this lists all: each member has its role'

export const memberRows: readonly ToolRow[] = [
  rest({
    name: 'list_members',
    class: 'read',
    title: 'Members',
    summary: 'List the members of a project or group with their roles.',
    input: Type.Object(
      {
        ...ProjectOrGroup,
        inherited: optional(flag('false: direct members only')),
        query: optional(ofPeople('Part of a name or email')),
        user_ids: optional(userIds()),
        ...Page
      },
      { instead: { username: 'did you mean "user_ids" or "query"?', role: ofEach, access_level: ofEach } }
    ),
    request: ['GET {PG}/members/all', 'GET {PG}/members'],
    choose: ({ inherited }) => (inherited === false ? 'GET {PG}/members' : 'GET {PG}/members/all'),
    local: ['inherited'],
    shape: withRoles,
    notice: (value, { query }) =>
      isEmptyList(value) && isRole(query)
        ? 'query is a part of a name or email, not a role: list without it, each member has its role.'
        : undefined,
    record: 'member'
  }),
  rest({
    name: 'set_member',
    class: 'write',
    title: 'Set member',
    summary:
      'Add a member or change the role, as a Maintainer of the project or Owner of the group. Only direct memberships can be set.',
    input: Type.Object({
      ...ProjectOrGroup,
      ...OneUser,
      role: givenRole(),
      expires_at: optional({ ...DayOrNone, description: 'A date, or empty for none' }),
      member_role_id: optional(text())
    }),
    check: [oneUser],
    lookup: byUsername,
    request: 'PUT {PG}/members/{user_id}',
    adapt: ({ role, ...args }) => ({ ...args, access_level: levelOf(role) }),
    orElse: { request: 'POST {PG}/members', is: isMember, again: true },
    local: ['username'],
    numeric: ['user_id', 'member_role_id'],
    shape: withRoles,
    record: 'member',
    advice: {
      400: [
        [
          /access.?level|inherited/i,
          'A role below the one that is inherited from a group above cannot be given: list_members shows it.'
        ]
      ],
      403: 'Giving roles takes the Maintainer role in the project, or Owner in the group; to make an owner, Owner.',
      404: 'Check the project or group, and that there is such a person: find_users.'
    }
  }),
  rest({
    name: 'remove_member',
    class: 'destructive',
    doesWith: { unassign_issuables: { true: ['update_issue', 'update_merge_request'] } },
    title: 'Remove member',
    summary: 'Remove a direct member of a project or group.',
    input: Type.Object({
      ...ProjectOrGroup,
      ...OneUser,
      confirm: Confirm('username'),
      unassign_issuables: optional(flag('From issues and merge requests too')),
      skip_subresources: optional(flag('Of a group: stay in its subgroups and projects'))
    }),
    check: [oneUser, onlyWith('group_id', 'skip_subresources')],
    lookup: byUsername,
    confirm: { read: 'GET {PG}/members/{user_id}', field: 'username', noun: 'member' },
    undo: 'set_member lets the member in again.',
    request: 'DELETE {PG}/members/{user_id}',
    local: ['confirm', 'username'],
    done: 'The member is removed.',
    notice: stillMember,
    advice: {
      404: 'This person is no direct member here: where the membership is inherited, remove it in the group above, which list_members there shows.'
    }
  })
]
