import { optional, userId, username } from '../../src/catalog/fields.ts'
import { exactlyOne } from '../../src/engine/checks.ts'
import type { Lookup } from '../../src/engine/lookup.ts'
import { peopleLike } from '../../src/engine/people.ts'

/*
 * A person is meant by id or by username in every tool: `OneUser` among its arguments, `oneUser` among its checks,
 * `byUsername` as its lookup, and `local: ['username']` where the forge does not take the name.
 */

export const OneUser = { user_id: optional(userId('Or username')), username: optional(username()) }

/** One of both, so that an id and a name of two people are not taken for either. */
export const oneUser = exactlyOne('user_id', 'username')

/** Fills user_id. The forge compares usernames without case; an id found once is good for a minute. */
export const byUsername: Lookup = {
  fill: 'user_id',
  by: 'username',
  lists: [{ request: 'GET /users', query: {} }],
  field: 'id',
  noun: 'user',
  suggest: peopleLike,
  hint: 'find_users finds people by name.',
  ignoreCase: true,
  lasting: true
}
