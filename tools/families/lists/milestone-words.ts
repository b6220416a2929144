import type { Arguments } from '../../../src/engine/arguments/values.ts'

/*
 * Words for the milestones that come next or have begun. Callers give them in place of a title, as they do with None
 * and Any. Each kind of list takes them in a different argument (docs: issues API, milestone_id; GitLab's
 * IssuableFinder).
 */

const words = new Map([
  ['upcoming', 'Upcoming'],
  ['started', 'Started']
])

/** The forge's word if a text is one of them, also with the # that some pages of forges put before it. */
const wordOf = (title: unknown): string | undefined =>
  typeof title === 'string' ? words.get(title.trim().replace(/^#/, '').toLowerCase()) : undefined

/** For lists of issues: moves the word to milestone_id. */
export function milestoneOfIssues(args: Arguments): Arguments {
  const word = wordOf(args.milestone)
  return word === undefined ? args : { ...args, milestone: undefined, milestone_id: word }
}

/** For lists of merge requests, which have no such argument: the word keeps the place of the title, with a #. */
export function milestoneOfMergeRequests(args: Arguments): Arguments {
  const word = wordOf(args.milestone)
  return word === undefined ? args : { ...args, milestone: `#${word.toLowerCase()}` }
}

/** For lists over GraphQL: the words, None and Any in capitals; undefined for a title. */
export const milestoneWildcard = (title: string): string | undefined =>
  /^(?:none|any)$/i.test(title) ? title.toUpperCase() : wordOf(title)?.toUpperCase()
