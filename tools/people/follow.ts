import { Type } from 'typebox'
import { flag, optional, Page } from '../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { byUsername, OneUser, oneUser } from '../families/people/people.ts'

export const followRows: readonly ToolRow[] = [
  rest({
    name: 'list_user_followers',
    class: 'read',
    title: 'Followers',
    summary: 'List who follows a person, or with following=true whom the person follows.',
    input: Type.Object({ ...OneUser, following: optional(flag('Whom the person follows')), ...Page }),
    check: [oneUser],
    lookup: byUsername,
    request: ['GET /users/{user_id}/followers', 'GET /users/{user_id}/following'],
    choose: ({ following }) =>
      following === true ? 'GET /users/{user_id}/following' : 'GET /users/{user_id}/followers',
    local: ['username', 'following'],
    record: 'person'
  }),
  rest({
    name: 'follow_user',
    class: 'write',
    title: 'Follow person',
    summary: 'Follow a person, or with follow=false no longer.',
    input: Type.Object({ ...OneUser, follow: optional(flag('false: no longer')) }),
    check: [oneUser],
    lookup: byUsername,
    request: ['POST /users/{user_id}/follow', 'POST /users/{user_id}/unfollow'],
    choose: ({ follow }) =>
      follow === false ? 'POST /users/{user_id}/unfollow' : 'POST /users/{user_id}/follow',
    local: ['username', 'follow'],
    already: { 304: 'It is so already.' },
    record: 'person'
  })
]
