import { groupLevel, LEVEL, levelIn } from '../access.ts'
import {
  bodyText,
  type Call,
  created,
  forbidden,
  noContent,
  notFound,
  ok,
  paged,
  queryFlag,
  queryList,
  queryText,
  refuse
} from '../http.ts'
import { addMember } from '../model/make.ts'
import { membershipOf, sourcesOf } from '../model/places.ts'
import { presentMember } from '../present/user.ts'
import type { Membership, User } from '../types.ts'
import { ofBoth, type Place } from './both.ts'
import { isCalled } from './people.ts'

const levelAt = (user: User, place: Place) =>
  'group' in place ? levelIn(user, place) : groupLevel(user, place)

const list = (call: Call, membership: (user: User) => Membership | undefined) => {
  const ids = queryList(call, 'user_ids')
  const rows = call.state.users.flatMap(user => {
    const member = membership(user)
    const isWanted = isCalled(user, queryText(call, 'query')) && (ids?.includes(String(user.id)) ?? true)
    return member && isWanted ? [{ user, member }] : []
  })
  return paged(call, rows, ({ user, member }) => presentMember(call.state, user, member))
}

/** The direct membership that the path names. */
const memberOf = (call: Call, place: Place) => {
  const user = call.state.users.find(({ id }) => String(id) === call.params.user_id)
  const member = user && place.members.get(user.id)
  if (!user || !member) throw notFound('Member')
  return { user, member }
}

/** Refuses a level above the caller's own, and one below the level that the person inherits. */
const checkLevel = (call: Call, place: Place, user: User, level: number) => {
  if (level > levelAt(call.user, place)) throw forbidden()
  const inherited = Math.max(
    0,
    ...sourcesOf(place)
      .slice(1)
      .map(({ members }) => members.get(user.id)?.level ?? 0)
  )
  if (level < inherited)
    throw refuse(400, {
      access_level: ['should be greater than or equal to the inherited membership of the parent group']
    })
}

/** The day on which a membership ends, as given in the body: today at the earliest. */
const endOf = (call: Call): string | null => {
  const day = bodyText(call, 'expires_at') || null
  if (day !== null && day < call.state.time().slice(0, 10))
    throw refuse(400, { expires_at: ['cannot be a date in the past'] })
  return day
}

const add = (call: Call, place: Place) => {
  const { state, body } = call
  const wanted = String(body.user_id ?? body.username)
  const user = state.users.find(({ id, username }) => [String(id), username].includes(wanted))
  if (!user) throw notFound('User')
  if (place.members.has(user.id)) throw refuse(409, 'Member already exists')
  const level = Number(body.access_level)
  checkLevel(call, place, user, level)
  addMember(state, place, user, level, {
    createdBy: call.user,
    expiresAt: endOf(call)
  })
  return created(presentMember(state, user, place.members.get(user.id)!))
}

const update = (call: Call, place: Place) => {
  const { user, member } = memberOf(call, place)
  const level = Number(call.body.access_level)
  checkLevel(call, place, user, level)
  if ('expires_at' in call.body) member.expiresAt = endOf(call)
  member.level = level
  return ok(presentMember(call.state, user, member))
}

const remove = (call: Call, place: Place) => {
  const { user } = memberOf(call, place)
  place.members.delete(user.id)
  if ('group' in place && queryFlag(call, 'unassign_issuables'))
    for (const item of [...place.issues, ...place.mergeRequests])
      item.assignees = item.assignees.filter(other => other !== user)
  return noContent()
}

/** The level that managing members requires (docs: members API). */
const manage = { project: LEVEL.maintainer, group: LEVEL.owner }

/** Operations on members of projects and groups. */
export const memberOperations = ofBoth((kind, find) => ({
  [`list_${kind}_members`]: call => {
    const place = find(call)
    return list(call, user => place.members.get(user.id))
  },
  [`list_all_${kind}_members`]: call => {
    const place = find(call)
    return list(call, user => membershipOf(place, user))
  },
  [`get_${kind}_member`]: call => {
    const { user, member } = memberOf(call, find(call))
    return ok(presentMember(call.state, user, member))
  },
  [`add_${kind}_member`]: call => add(call, find(call, manage[kind])),
  [`update_${kind}_member`]: call => update(call, find(call, manage[kind])),
  [`remove_${kind}_member`]: call => remove(call, find(call, manage[kind]))
}))
