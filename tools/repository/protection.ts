import { Type } from 'typebox'
import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { NoticeContext } from '../../src/engine/context.ts'
import { flag, optional, Page, ProjectId, text } from '../../src/engine/rows/fields.ts'
import { newRevision, ruleName } from '../../src/engine/rows/revisions.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { branchMeant } from '../../src/engine/suggestions/names.ts'
import { isRecord } from '../../src/results/is-record.ts'
import { quoted } from '../../src/results/visible.ts'
import { levelOf, roleOf } from '../families/people/roles.ts'
import { withLevelRoles } from './access-levels.ts'

/**
 * The notice that approval by code owners was ignored. A forge without the licence accepts the argument, ignores it,
 * and answers as if it had been applied.
 */
const codeOwnersLeftOut = (
  branch: unknown,
  { code_owner_approval_required }: Arguments
): string | undefined =>
  code_owner_approval_required === true && isRecord(branch) && branch.code_owner_approval_required !== true
    ? 'The branch is protected, but without approval of code owners: the forge left that out, as it does without a Premium licence.'
    : undefined

const ofDevelopers = ['developers_+_maintainers', 'developers+maintainers', 'developers_and_maintainers']

/**
 * An argument for an access level. It also accepts the words of the forge's pages and records
 * (access_level_description).
 */
const level = <const R extends readonly string[]>(...roles: R) => {
  const role = roleOf(roles, 'Default maintainer')
  const onPages = {
    no_one: 'no_access',
    ...Object.fromEntries(ofDevelopers.map(words => [words, 'developer'])),
    administrators: 'admin'
  }
  return optional({ ...role, alias: { ...role.alias, ...onPages } })
}

const AccessLevel = level('no_access', 'developer', 'maintainer', 'admin')

/** The notice that no branch has the name. Forges protect any name, even one that only a future branch may have. */
async function branchToCome(
  { project_id, name }: Arguments,
  context: NoticeContext
): Promise<string | undefined> {
  const branch = String(name)
  if (branch.includes('*') || !context.mayRun('list_branches')) return undefined
  const meant = await branchMeant(branch, { project_id }, context.forge).catch(() => undefined)
  if (meant === undefined) return undefined
  return `There is no branch ${quoted(branch)} yet: ${meant} What is made by that name is protected; unprotect_branch takes that back.`
}

/** All notices about a protected branch. */
async function ofProtected(
  branch: unknown,
  args: Arguments,
  context: NoticeContext
): Promise<string | undefined> {
  const said = [codeOwnersLeftOut(branch, args), await branchToCome(args, context)]
  return said.filter(one => one !== undefined).join(' ') || undefined
}

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
      name: newRevision('heads', 'Branch, or a wildcard such as release/*'),
      push_access_level: AccessLevel,
      merge_access_level: AccessLevel,
      unprotect_access_level: level('developer', 'maintainer', 'admin'),
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
    notice: ofProtected,
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
    input: Type.Object({ project_id: ProjectId, name: ruleName('As listed, * included') }),
    request: 'DELETE /projects/{project_id}/protected_branches/{.name}',
    undo: 'protect_branch protects it again.',
    advice: {
      404: 'It may be open already, or protected by a wildcard, which is given as it is written; nothing was done. list_protected_branches has the names.'
    },
    done: 'The branch is no longer protected.'
  })
]
