import { Type } from 'typebox'
import type { Arguments } from '../../src/engine/rows/checks.ts'
import { flag, optional, Page, ProjectId, text } from '../../src/engine/rows/fields.ts'
import { newRevision } from '../../src/engine/rows/revisions.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { isRecord } from '../../src/results/is-record.ts'
import { levelOf, roleOf } from '../families/roles.ts'
import { withLevelRoles } from './access-levels.ts'

/** A forge without the licence accepts the argument, ignores it, and answers as if it had been applied. */
const codeOwnersLeftOut = (
  branch: unknown,
  { code_owner_approval_required }: Arguments
): string | undefined =>
  code_owner_approval_required === true && isRecord(branch) && branch.code_owner_approval_required !== true
    ? 'The branch is protected, but without approval of code owners: the forge left that out, as it does without a Premium licence.'
    : undefined

const AccessLevel = optional(roleOf(['no_access', 'developer', 'maintainer', 'admin'], 'Default maintainer'))

export const protectionRows: readonly ToolRow[] = [
  rest({
    name: 'list_protected_branches',
    class: 'read',
    title: 'Protected branches',
    summary: 'List who may push and merge to which; for maintainers.',
    record: 'protected_branch',
    input: Type.Object({ project_id: ProjectId, search: optional(text()), ...Page }),
    request: 'GET /projects/{project_id}/protected_branches',
    shape: withLevelRoles,
    advice: { 403: 'It takes the Maintainer role; get_branch says of one branch whether it is protected.' }
  }),
  rest({
    name: 'protect_branch',
    class: 'write',
    title: 'Protect branch',
    summary: 'Say who may push and merge; for maintainers.',
    record: 'protected_branch',
    input: Type.Object({
      project_id: ProjectId,
      name: newRevision('Branch, or a wildcard such as release/*'),
      push_access_level: AccessLevel,
      merge_access_level: AccessLevel,
      unprotect_access_level: optional(roleOf(['developer', 'maintainer', 'admin'], 'Default maintainer')),
      allow_force_push: optional(flag()),
      code_owner_approval_required: optional(flag('Premium'))
    }),
    request: 'POST /projects/{project_id}/protected_branches',
    adapt: ({ push_access_level: push, merge_access_level: merge, unprotect_access_level, ...args }) => ({
      ...args,
      push_access_level: levelOf(push),
      merge_access_level: levelOf(merge),
      unprotect_access_level: levelOf(unprotect_access_level)
    }),
    shape: withLevelRoles,
    notice: codeOwnersLeftOut,
    advice: {
      409: 'It is protected already: see list_protected_branches. To change how, unprotect_branch first.'
    }
  }),
  rest({
    name: 'unprotect_branch',
    class: 'destructive',
    title: 'Unprotect branch',
    summary:
      'Open a branch, or all a wildcard names, to everyone who may push, by force too; for maintainers.',
    input: Type.Object({ project_id: ProjectId, name: newRevision('As listed, * included') }),
    request: 'DELETE /projects/{project_id}/protected_branches/{.name}',
    undo: 'protect_branch protects it again.',
    done: 'The branch is no longer protected.'
  })
]
