import type { Lookup } from '../../../src/engine/names/lookup.ts'
import { peopleLike } from '../../../src/engine/names/people.ts'
import { exactlyOne } from '../../../src/engine/rows/checks.ts'
import { optional, userId, username } from '../../../src/engine/rows/fields.ts'

/*
 * In every tool, a person is given by id or by username: `OneUser` among the arguments, `oneUser` among the checks,
 * `byUsername` as the lookup, and `local: ['username']` if the forge does not accept the name.
 */

export const OneUser = { user_id: optional(userId('Or username')), username: optional(username()) }

/** Only one of both, so that the id and the name of two different people are not mixed up. */
export const oneUser = exactlyOne('user_id', 'username')

/** Fills in user_id. The forge ignores case in usernames; reads keep an id that was found for a minute. */
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
