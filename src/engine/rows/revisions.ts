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
 * The same, for an endpoint that takes only the short name: the prefix refs/heads/ or refs/tags/, which some callers
 * write, is removed.
 */
export const branchOrTag = (description?: string) => ({ ...ref(description), shortName: 'any' })
/** An existing branch, for such an endpoint. */
export const branch = (description?: string) => ({ ...ref(description), shortName: 'heads' })
/** A branch by which something is searched, with the same rules. */
export const branchOf = () => ({ ...text(), ...notHead, shortName: 'heads' })
/** The same, for a branch or tag. */
export const refOf = () => ({ ...branchOf(), shortName: 'any' })
/** A filter by branch. The call gets a remark if the branch does not exist (engine/names/unknown-names.ts). */
const branchNamed = { names: { noun: 'branch', use: 'filter' } } as const
export const branchFilter = () => ({ ...branchOf(), ...branchNamed })
/** The same, for a branch in the path of the request. */
export const branchInPath = () => ({ ...branch(), ...branchNamed })
const revisionNamed = { names: { noun: 'branch or tag', use: 'filter' } } as const
/** The same, for a filter that also takes tags. */
export const refFilter = () => ({ ...refOf(), ...revisionNamed })
/** The same, for a filter that also takes commits. */
export const revisionFilter = (description?: string) => ({
  ...revision(description),
  ...revisionNamed,
  shortName: 'any'
})
/**
 * A branch or tag to be created, or a pattern for some. A rule for an address, or for the full name of the other kind,
 * would match nothing, and a forge creates neither (GitLab's GitRefValidator).
 * @param shortName its kind: the beginning of such a full name is removed
 */
export const newRevision = (shortName: 'heads' | 'tags', description?: string) => ({
  ...made(refName(description)),
  shortName,
  pattern: '^(?!https?://|refs/(?:heads|tags)/)[^-]',
  problem: `must be a name: it is empty, an address, the full name of a ${shortName === 'heads' ? 'tag' : 'branch'}, or begins with a hyphen`
})
/** The pattern of an existing rule, whatever it is. */
export const ruleName = refName
/** An existing tag. */
export const tagName = () => ({ ...refName(), namedIn: 'tag', shortName: 'tags' })
/** The tag of an existing release. */
export const releaseTag = () => ({ ...tagName(), namedIn: 'release' })
