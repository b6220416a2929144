import type { ForgeState } from '../state.ts'
import type { Project, Protection } from '../types.ts'

const matches = ({ name }: Protection, branch: string) =>
  new RegExp(
    `^${name
      .split('*')
      .map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`
  ).test(branch)

/** The rules a branch falls under. */
const protectionsOf = (project: Project, branch: string): Protection[] =>
  project.repository.protections.filter(protection => matches(protection, branch))

/** Branches say themselves whether they are protected: brought up to the rules. */
export const settleProtection = (project: Project) => {
  for (const branch of project.branches.values())
    branch.protected = protectionsOf(project, branch.name).length > 0
}

/** Protects a branch, or all that a wildcard matches. */
export const protect = (
  state: ForgeState,
  project: Project,
  parts: Pick<Protection, 'name'> & Partial<Protection>
): Protection => {
  const protection: Protection = {
    id: state.nextId('protection'),
    push: 40,
    merge: 40,
    unprotect: null,
    allowForcePush: false,
    ...parts
  }
  project.repository.protections.push(protection)
  settleProtection(project)
  return protection
}

/** Anybody who may write: a developer. */
const ANYBODY = 30

/** Of several rules the most permissive counts; 0 is nobody (docs: protected branches). */
const least = (levels: number[]): number =>
  levels.length === 0
    ? ANYBODY
    : Math.min(...levels.map(level => (level === 0 ? Number.POSITIVE_INFINITY : level)))

/** The level it takes to push. */
export const pushLevel = (project: Project, branch: string): number =>
  least(protectionsOf(project, branch).map(({ push }) => push))

/** The level it takes to merge into it: whoever may push may, too. */
export const mergeLevel = (project: Project, branch: string): number =>
  least(protectionsOf(project, branch).flatMap(({ merge, push }) => [merge, push]))
