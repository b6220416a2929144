import { groupLevel, groupOf, LEVEL, levelIn, projectOf } from '../../access.ts'
import { type Call, forbidden } from '../../http.ts'
import type { Ops } from '../../types.ts'

export type Place = 'project' | 'group'

/** The parts that only a maintainer of a project, or an owner of a group, may see (docs: permissions). */
export const opsOf = (call: Call, place: Place): Ops => {
  if (place === 'project') {
    const project = projectOf(call)
    if (levelIn(call.user, project) < LEVEL.maintainer) throw forbidden()
    return project.ops
  }
  const group = groupOf(call)
  if (groupLevel(call.user, group) < LEVEL.owner) throw forbidden()
  return group.ops
}
