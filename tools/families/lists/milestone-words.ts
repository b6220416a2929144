type Fields = Readonly<Record<string, unknown>>

/*
 * The words for the milestones that come next or have begun, which callers give in place of a title as they do None and
 * Any. Each list has a place of its own for them (docs: issues API, milestone_id; GitLab's IssuableFinder).
 */

const words = new Map([
  ['upcoming', 'Upcoming'],
  ['started', 'Started']
])

/** The forge's word where a text is one of them, also with the sign that some forges' pages put before it. */
const wordOf = (title: unknown): string | undefined =>
  typeof title === 'string' ? words.get(title.trim().replace(/^#/, '').toLowerCase()) : undefined

/** For lists of issues: the word goes in an argument of its own. */
export function milestoneOfIssues(args: Fields): Fields {
  const word = wordOf(args.milestone)
  return word === undefined ? args : { ...args, milestone: undefined, milestone_id: word }
}

/** For lists of merge requests, which have no such argument: the word goes with its sign. */
export function milestoneOfMergeRequests(args: Fields): Fields {
  const word = wordOf(args.milestone)
  return word === undefined ? args : { ...args, milestone: `#${word.toLowerCase()}` }
}

/** For lists over GraphQL: the words and None and Any in capitals; undefined for a title. */
export const milestoneWildcard = (title: string): string | undefined =>
  /^(?:none|any)$/i.test(title) ? title.toUpperCase() : wordOf(title)?.toUpperCase()
