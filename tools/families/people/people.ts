import type { Lookup } from '../../../src/engine/names/lookup.ts'
import { peopleLike } from '../../../src/engine/names/people.ts'
import { exactlyOne } from '../../../src/engine/rows/checks.ts'
import { optional, userId, username } from '../../../src/engine/rows/fields.ts'

/*
 * Every tool takes a person by id or by username: `OneUser` in the arguments, `oneUser` in the checks, `byUsername` as
 * the lookup, and `local: ['username']` if the forge does not accept the name.
 */

export const OneUser = { user_id: optional(userId('Or username')), username: optional(username()) }

/** Accepts only one of the two, so that the id of one person is not combined with the name of another. */
export const oneUser = exactlyOne('user_id', 'username')

/** Fills in user_id. The forge ignores case in usernames. Reads remember a found id for a minute. */
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
