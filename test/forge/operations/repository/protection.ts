import { LEVEL, projectOf } from '../../access.ts'
import {
  bodyFlag,
  bodyText,
  type Call,
  created,
  noContent,
  notFound,
  type Operations,
  paged,
  queryText,
  refuse
} from '../../http.ts'
import { protect, settleProtection } from '../../model/protection.ts'
import { presentProtection } from '../../present/repository.ts'

const level = (call: Call, name: string): number | undefined =>
  call.body[name] === undefined ? undefined : Number(call.body[name])

const create = (call: Call) => {
  const project = projectOf(call, LEVEL.maintainer)
  const name = bodyText(call, 'name') ?? ''
  if (project.repository.protections.some(protection => protection.name === name))
    throw refuse(409, `Protected branch '${name}' already exists`)
  const protection = protect(call.state, project, {
    name,
    push: level(call, 'push_access_level') ?? LEVEL.maintainer,
    merge: level(call, 'merge_access_level') ?? LEVEL.maintainer,
    unprotect: level(call, 'unprotect_access_level') ?? null,
    allowForcePush: bodyFlag(call, 'allow_force_push') ?? false
  })
  return created(presentProtection(protection))
}

const remove = (call: Call) => {
  const project = projectOf(call, LEVEL.maintainer)
  const { protections } = project.repository
  const at = protections.findIndex(({ name }) => name === call.params.name)
  if (at < 0) throw notFound('Protected Branch')
  protections.splice(at, 1)
  settleProtection(project)
  return noContent()
}

/** Operations on protected branches and wildcards. Maintainers see and change them. */
export const protectionOperations: Operations = {
  list_protected_branches: call => {
    const { repository } = projectOf(call, LEVEL.maintainer)
    const search = queryText(call, 'search') ?? ''
    const rows = repository.protections.filter(({ name }) => name.includes(search))
    return paged(call, rows, presentProtection)
  },
  protect_branch: create,
  unprotect_branch: remove
}
