import type { ForgeState } from '../state.ts'
import type { Project, Protection } from '../types.ts'

const matches = ({ name }: Protection, branch: string) =>
  new RegExp(
    `^${name
      .split('*')
      .map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`
  ).test(branch)

/** The rules that apply to a branch. */
const protectionsOf = (project: Project, branch: string): Protection[] =>
  project.repository.protections.filter(protection => matches(protection, branch))

/** Updates the flag of each branch that says whether it is protected. */
export const settleProtection = (project: Project) => {
  for (const branch of project.branches.values())
    branch.protected = protectionsOf(project, branch.name).length > 0
}

/** Protects a branch, or all branches that a wildcard matches. */
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

/** Level of everybody who may write: developers. */
const ANYBODY = 30

/**
 * The level that several rules require together. The most permissive rule counts; 0 means nobody (docs: protected
 * branches).
 */
const least = (levels: number[]): number =>
  levels.length === 0
    ? ANYBODY
    : Math.min(...levels.map(level => (level === 0 ? Number.POSITIVE_INFINITY : level)))

/** The level that a push requires. */
export const pushLevel = (project: Project, branch: string): number =>
  least(protectionsOf(project, branch).map(({ push }) => push))

/** The level that a merge into the branch requires. Whoever may push may also merge. */
export const mergeLevel = (project: Project, branch: string): number =>
  least(protectionsOf(project, branch).flatMap(({ merge, push }) => [merge, push]))
