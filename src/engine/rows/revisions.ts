import { Type } from 'typebox'
import { text } from './fields.ts'
import { made } from './made-names.ts'

/*
 * Arguments that name a branch, a tag or a commit, each described once. What is suggested for one that does not exist
 * is decided in suggestions/step.ts.
 */

/** A branch, tag or commit. Programs take a name with a leading hyphen for an option; Git does not allow such names. */
const refName = (description?: string) =>
  Type.String({
    pattern: '^[^-]',
    problem: 'is no branch, tag or commit: it is empty or begins with a hyphen',
    neverEmpty: true,
    ...(description !== undefined && { description })
  })
/** An existing one: if it does not exist, the nearest name is suggested. */
export const revision = (description?: string) => ({
  ...refName(description),
  namedIn: 'revision',
  orCommit: true
})
/** For an endpoint that does not resolve HEAD: as a filter it finds nothing, without a message. */
const notHead = {
  pattern: '^(?!HEAD$)',
  orCommit: false,
  problem: 'is no branch or tag: empty, HEAD (get_project has the default_branch), or with a hyphen first'
}
/** An existing branch or tag, by a name in any form. */
export const ref = (about?: string) => ({ ...revision(about), ...notHead, pattern: '^(?!HEAD$)[^-]' })
/**
 * The same, for an endpoint that takes only the short name: the prefix refs/heads/, which some callers write, is
 * removed.
 */
export const branch = (description?: string) => ({ ...ref(description), shortName: true })
/** A branch by which something is searched, with the same rules. */
export const branchOf = () => ({ ...text(), ...notHead, shortName: true })
/** A filter by branch. The call gets a remark if the branch does not exist (engine/names/unknown-names.ts). */
const branchNamed = { names: { noun: 'branch', use: 'filter' } } as const
export const branchFilter = () => ({ ...branchOf(), ...branchNamed })
/** The same, for a branch in the path of the request. */
export const branchInPath = () => ({ ...branch(), ...branchNamed })
const revisionNamed = { names: { noun: 'branch or tag', use: 'filter' } } as const
/** The same, for a filter that also takes tags. */
export const refFilter = () => ({ ...branchOf(), ...revisionNamed })
/** The same, for a filter that also takes commits. */
export const revisionFilter = (description?: string) => ({
  ...revision(description),
  ...revisionNamed,
  shortName: true
})
/**
 * A branch or tag to be created, or a pattern. No name contains a colon, and a rule for such a name would match
 * nothing. A forge does not create a name that begins with refs/heads/ or refs/tags/ (GitLab's GitRefValidator).
 */
export const newRevision = (description?: string) => ({
  ...made(refName(description)),
  shortName: true,
  pattern: '^(?!https?://)[^-]',
  problem: 'must be a name: it is empty, an address, or begins with a hyphen'
})
/** The pattern of an existing rule, whatever it is. */
export const ruleName = refName
/** An existing tag. */
export const tagName = () => ({ ...refName(), namedIn: 'tag', shortName: true })
/** The tag of an existing release. */
export const releaseTag = () => ({ ...tagName(), namedIn: 'release' })
