import { groupLevel, groupOf, LEVEL } from '../access.ts'
import {
  bodyText,
  type Call,
  created,
  forbidden,
  notFound,
  type Operations,
  paged,
  queryFlag,
  queryText,
  refuse
} from '../http.ts'
import { addGroup, addMember } from '../model/make.ts'
import { lineage, membershipOf } from '../model/places.ts'
import { type Keys, keyOf, likeness, ordered } from '../model/rows.ts'
import { presentGroup } from '../present/project.ts'
import type { Group, Visibility } from '../types.ts'

const list = (call: Call, keep: (group: Group) => boolean) => {
  const { state, user } = call
  const search = queryText(call, 'search')?.toLowerCase()
  const least = Number(queryText(call, 'min_access_level') ?? 0)
  const visibility = queryText(call, 'visibility')
  const rows = state.groups.filter(group => {
    const level = membershipOf(group, user)?.level ?? 0
    return (
      group.owner === null &&
      groupLevel(user, group) > 0 &&
      keep(group) &&
      (queryText(call, 'all_available') !== 'false' || level > 0) &&
      (!queryFlag(call, 'owned') || level === LEVEL.owner) &&
      (!queryFlag(call, 'top_level_only') || group.parent === null) &&
      level >= least &&
      (!visibility || group.visibility === visibility) &&
      (!search || [group.name, group.path].some(text => text.toLowerCase().includes(search)))
    )
  })
  const keys: Keys<Group> = {
    id: ({ id }) => id,
    name: ({ name }) => name,
    path: ({ path }) => path,
    similarity: ({ name }) => -likeness(call, name)
  }
  const sorted = ordered(call, rows, keyOf(call, keys, 'name'), 'asc')
  return paged(call, sorted, group => withoutToken(presentGroup(state, group)))
}

/** A group without its runners token, which lists never contain. */
const withoutToken = ({ runners_token: _, ...group }: ReturnType<typeof presentGroup>) => group

const create = (call: Call) => {
  const { state, user } = call
  const parentId = bodyText(call, 'parent_id')
  const parent = parentId
    ? state.groups.find(({ id, owner }) => String(id) === parentId && owner === null)
    : null
  if (parent === undefined || (parent && groupLevel(user, parent) === 0)) throw notFound('Group')
  if (parent && groupLevel(user, parent) < LEVEL.maintainer) throw forbidden()
  const path = bodyText(call, 'path') ?? ''
  if (!/^[\w.][\w.-]*$/.test(path))
    throw refuse(400, `Failed to save group {:path=>["can contain only letters, digits, '_', '-' and '.'"]}`)
  if (state.groups.some(group => group.parent === parent && group.path === path))
    throw refuse(400, 'Failed to save group {:path=>["has already been taken"]}')
  const group = addGroup(state, path, bodyText(call, 'name') ?? '', {
    parent: parent ?? null,
    description: bodyText(call, 'description') ?? '',
    visibility: (bodyText(call, 'visibility') ?? 'private') as Visibility
  })
  addMember(state, group, user, LEVEL.owner)
  return created(presentGroup(state, group))
}

/** Operations on groups. */
export const groupOperations: Operations = {
  list_groups: call => list(call, () => true),
  list_subgroups: call => {
    const parent = groupOf(call)
    return list(call, group => group.parent === parent)
  },
  list_descendant_groups: call => {
    const above = groupOf(call)
    return list(call, group => group !== above && lineage(group).includes(above))
  },
  create_group: create
}
