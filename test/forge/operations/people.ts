import { personOf, projectOf } from '../access.ts'
import {
  bodyText,
  type Call,
  created,
  notFound,
  type Operations,
  ok,
  paged,
  queryFlag,
  queryText,
  type Reply,
  refuse
} from '../http.ts'
import { membershipOf } from '../model/places.ts'
import { presentProfile, presentStatus, presentUser } from '../present/user.ts'
import type { User } from '../types.ts'

/** Whether a name, username or public email contains the text. */
export const isCalled = (user: User, search: string | undefined): boolean => {
  const wanted = search?.toLowerCase() ?? ''
  return [user.name, user.username, user.publicEmail ?? ''].some(text => text.toLowerCase().includes(wanted))
}

const listUsers = (call: Call) => {
  const username = queryText(call, 'username')?.toLowerCase()
  const rows = call.state.users.filter(
    user =>
      (!username || user.username.toLowerCase() === username) &&
      isCalled(user, queryText(call, 'search')) &&
      !(queryFlag(call, 'humans') && user.bot)
  )
  return paged(call, rows, user => presentUser(call.state, user))
}

const userOf = (call: Call): User => {
  const id = call.params.user_id ?? call.params.id
  const user = call.state.users.find(candidate => String(candidate.id) === id)
  if (!user) throw notFound('User')
  return user
}

/** Follows or unfollows. If that is so already, nothing changes: 304. */
const follow = (call: Call, on: boolean): Reply => {
  const [user, caller] = [userOf(call), personOf(call)]
  if (user === caller) throw refuse(400, 'Followee cannot follow yourself')
  if (caller.follows.has(user.id) === on) return { status: 304 }
  if (on) caller.follows.add(user.id)
  else caller.follows.delete(user.id)
  return created(presentUser(call.state, user))
}

const MINUTES: Readonly<Record<string, number>> = {
  '30_minutes': 30,
  '3_hours': 180,
  '8_hours': 480,
  '1_day': 1440,
  '3_days': 4320,
  '7_days': 10080,
  '30_days': 43200
}

/** Sets the status. Fields that are not sent are cleared (lib/api/users.rb). */
const setStatus = (call: Call) => {
  const user = personOf(call)
  const message = bodyText(call, 'message') ?? null
  if (message !== null && message.length > 100)
    throw refuse(400, { message: ['is too long (maximum is 100 characters)'] })
  const minutes = MINUTES[bodyText(call, 'clear_status_after') ?? '']
  const emoji = bodyText(call, 'emoji') ?? (message === null ? null : 'speech_balloon')
  user.status = {
    emoji,
    message,
    availability: bodyText(call, 'availability') === 'busy' ? 'busy' : 'not_set',
    clearAt: minutes === undefined ? null : new Date(call.state.now() + minutes * 60_000).toISOString()
  }
  return ok(presentStatus(user))
}

/** Only a personal access token can read itself (lib/api/personal_access_tokens/self_information.rb). */
const ownToken = (call: Call) => {
  const { kind, user, scopes, createdAt, expiresAt } = call.credential
  if (kind !== 'personal')
    throw refuse(
      400,
      "400 Bad request - This endpoint requires token type to be a personal access token. You're currently using another type."
    )
  return ok({
    id: 400 + user.id,
    name: `${user.username}'s agent`,
    revoked: false,
    created_at: new Date(createdAt).toISOString(),
    description: null,
    scopes,
    user_id: user.id,
    last_used_at: call.state.time(),
    active: true,
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString().slice(0, 10)
  })
}

/** Operations on users, their status and whom they follow. */
export const peopleOperations: Operations = {
  get_own_token: ownToken,
  get_version: ({ state }) =>
    ok({ version: state.version, revision: state.hash('revision', state.version).slice(0, 11) }),
  list_users: listUsers,
  list_project_users: call => {
    const project = projectOf(call)
    const search = queryText(call, 'search')
    const rows = call.state.users.filter(user => membershipOf(project, user) && isCalled(user, search))
    return paged(call, rows, user => presentUser(call.state, user))
  },
  get_user: call => ok(presentProfile(call.state, call.user, userOf(call))),
  list_user_followers: call => {
    const { id } = userOf(call)
    const rows = call.state.users.filter(({ follows }) => follows.has(id))
    return paged(call, rows, user => presentUser(call.state, user))
  },
  list_user_following: call => {
    const { follows } = userOf(call)
    const rows = call.state.users.filter(({ id }) => follows.has(id))
    return paged(call, rows, user => presentUser(call.state, user))
  },
  follow_user: call => follow(call, true),
  unfollow_user: call => follow(call, false),
  get_own_status: call => ok(presentStatus(personOf(call))),
  set_own_status: setStatus
}
