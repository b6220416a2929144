import { Type } from 'typebox'
import { text } from './fields.ts'
import { made } from './made-names.ts'

/*
 * Arguments that name a branch, a tag or a commit, each described once. What is suggested where one is not there is
 * decided in suggestions/step.ts.
 */

/** A branch, tag or commit. Programs take what begins with a hyphen for an option; Git lets no name begin so. */
const refName = (description?: string) =>
  Type.String({
    pattern: '^[^-]',
    problem: 'is no branch, tag or commit: it is empty or begins with a hyphen',
    neverEmpty: true,
    ...(description !== undefined && { description })
  })
/** One that is there: where it is not, the nearest is named. */
export const revision = (description?: string) => ({
  ...refName(description),
  namedIn: 'revision',
  orCommit: true
})
/** One where the forge resolves no HEAD: as a filter it finds nothing, without a word. */
const notHead = {
  pattern: '^(?!HEAD$)',
  orCommit: false,
  problem: 'is no branch or tag: empty, HEAD (get_project has the default_branch), or with a hyphen first'
}
/** A branch or tag that is there, by a name of any form. */
export const ref = (about?: string) => ({ ...revision(about), ...notHead, pattern: '^(?!HEAD$)[^-]' })
/** The same where the forge takes its short name alone: without refs/heads/, which some write before it. */
export const branch = (description?: string) => ({ ...ref(description), shortName: true })
/** What something is found by, alike. */
export const branchOf = (description?: string) => ({ ...text(description), ...notHead, shortName: true })
/** A filter by one, alike; a call is told where there is none (engine/names/unknown-names.ts). */
const branchNamed = { names: { noun: 'branch', use: 'filter' } } as const
export const branchFilter = () => ({ ...branchOf(), ...branchNamed })
/** The same where it is a part of the path. */
export const branchInPath = () => ({ ...branch(), ...branchNamed })
const revisionNamed = { names: { noun: 'branch or tag', use: 'filter' } } as const
/** The same where a tag does, too. */
export const refFilter = () => ({ ...branchOf(), ...revisionNamed })
/** The same where a commit does, too. */
export const revisionFilter = (description?: string) => ({
  ...revision(description),
  ...revisionNamed,
  shortName: true
})
/**
 * One that is to be made, or a pattern: no name has a colon, and a rule for one would fit nothing. A forge makes none
 * whose name begins with refs/heads/ or refs/tags/ (GitLab's GitRefValidator).
 */
export const newRevision = (description?: string) => ({
  ...made(refName(description)),
  shortName: true,
  pattern: '^(?!https?://)[^-]',
  problem: 'must be a name: it is empty, an address, or begins with a hyphen'
})
/** The pattern of a rule that is there, whatever it is. */
export const ruleName = refName
/** A tag that is there, alike. */
export const tagName = () => ({ ...refName(), namedIn: 'tag', shortName: true })
/** The same of a release. */
export const releaseTag = () => ({ ...tagName(), namedIn: 'release' })
