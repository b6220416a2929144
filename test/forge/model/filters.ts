import { type Call, queryFlag, queryList, queryText } from '../http.ts'
import type { Issue, MergeRequest, Noteable, User } from '../types.ts'
import { fitsWord } from './plans.ts'
import { type Keys, keyOf, ordered, within } from './rows.ts'
import { withWords } from './words.ts'

type Test<T> = (row: T) => boolean

const isNone = (value: string | undefined) => value?.toLowerCase() === 'none'
const isAny = (value: string | undefined) => value?.toLowerCase() === 'any'

/** Matches None, Any or a user's id, as in assignee_id and reviewer_id. */
const byUserId = (value: string | undefined, users: User[]) => {
  if (value === undefined) return true
  if (isNone(value)) return users.length === 0
  if (isAny(value)) return users.length > 0
  return users.some(user => String(user.id) === value)
}

/** Compares user names without case. */
export const isCalled = ({ username }: User, name: string): boolean =>
  username.toLowerCase() === name.toLowerCase()

/** Matches if every one of these user names is among the users. None and Any count as names. */
const byUsernames = (values: string[] | undefined, users: User[]) =>
  values?.every(name => users.some(user => isCalled(user, name))) ?? true

/**
 * The only list of usernames that takes None and Any. For the other filters these words go with the id (finders of
 * GitLab).
 */
const byApprovers = (values: string[] | undefined, users: User[]) => {
  if (isNone(values?.[0])) return users.length === 0
  if (isAny(values?.[0])) return users.length > 0
  return byUsernames(values, users)
}

const byLabels = (values: string[] | undefined, labels: string[]) => {
  if (!values) return true
  if (isNone(values[0])) return labels.length === 0
  if (isAny(values[0])) return labels.length > 0
  return values.every(label => labels.includes(label))
}

/**
 * A title takes None and Any in any case, and the other words with a #; milestone_id takes words only (IssuableFinder).
 */
const byMilestone = (call: Call, owner: Noteable) => {
  const title = queryText(call, 'milestone')
  const inTitle = isNone(title) || isAny(title) ? title : /^#(upcoming|started)$/.exec(title ?? '')?.[1]
  const word = queryText(call, 'milestone_id') ?? inTitle
  if (word !== undefined) return fitsWord(word, owner.milestone, owner.project, call.state.now())
  return title === undefined || owner.milestone?.title === title
}

const bySearch = (call: Call, owner: Noteable) => {
  const search = queryText(call, 'search')
  if (!search) return true
  const fits = withWords(search)
  const fields = (queryText(call, 'in') ?? 'title,description').split(',')
  const texts = { title: owner.title, description: owner.description ?? '' }
  return Object.entries(texts).some(([name, text]) => fields.includes(name) && fits(text))
}

const byScope = (call: Call, owner: Noteable, fallback: string, reviewers: User[]) => {
  const scope = (queryText(call, 'scope') ?? fallback).replaceAll('-', '_')
  if (scope === 'created_by_me') return owner.author === call.user
  if (scope === 'assigned_to_me') return owner.assignees.includes(call.user)
  if (scope === 'reviews_for_me') return reviewers.includes(call.user)
  return true
}

const byAuthor = (call: Call, owner: Noteable) => {
  const id = queryText(call, 'author_id')
  const name = queryText(call, 'author_username')
  return (!id || String(owner.author.id) === id) && (!name || isCalled(owner.author, name))
}

const byReaction = (call: Call, owner: Noteable) => {
  const name = queryText(call, 'my_reaction_emoji')
  return !name || owner.awards.some(award => award.user === call.user && award.name === name)
}

const shared = (call: Call, owner: Noteable, defaultScope: string, reviewers: User[] = []): boolean =>
  byScope(call, owner, defaultScope, reviewers) &&
  byAuthor(call, owner) &&
  byUserId(queryText(call, 'assignee_id'), owner.assignees) &&
  byUsernames(queryList(call, 'assignee_username'), owner.assignees) &&
  byLabels(queryList(call, 'labels'), owner.labels) &&
  byMilestone(call, owner) &&
  within(call, 'created', Date.parse(owner.createdAt)) &&
  within(call, 'updated', Date.parse(owner.updatedAt)) &&
  (queryList(call, 'iids')?.includes(String(owner.iid)) ?? true) &&
  bySearch(call, owner) &&
  byReaction(call, owner)

const byNot = (call: Call, owner: Noteable, reviewers: User[]): boolean => {
  const given = (name: string) => queryText(call, `not[${name}]`)
  const author = given('author_username') ?? given('author_id')
  const assignee = given('assignee_id') ?? given('assignee_username')
  const reviewer = given('reviewer_username') ?? given('reviewer_id')
  const names = (user: User) => [user.username, String(user.id)]
  const labels = queryList(call, 'not[labels]') ?? []
  return !(
    (author && names(owner.author).includes(author)) ||
    (assignee && owner.assignees.some(user => names(user).includes(assignee))) ||
    (reviewer && reviewers.some(user => names(user).includes(reviewer))) ||
    labels.some(label => owner.labels.includes(label)) ||
    (given('milestone') && owner.milestone?.title === given('milestone'))
  )
}

/**
 * Whether a merge request matches the list's filters. The default scope is created_by_me globally, and all in a
 * project.
 */
export const mergeRequestFilter =
  (call: Call, defaultScope: string, draft: Test<MergeRequest>): Test<MergeRequest> =>
  request => {
    const state = queryText(call, 'state') ?? 'all'
    const wip = queryText(call, 'wip') ?? { true: 'yes', false: 'no' }[queryText(call, 'draft') ?? '']
    const reviewers = queryText(call, 'reviewer_username')
    const merger = queryText(call, 'merge_user_username')
    const mergers = request.mergeUser ? [request.mergeUser] : []
    const approvers = request.approvals.map(({ user }) => user)
    return (
      shared(call, request, defaultScope, request.reviewers) &&
      within(call, 'merged', Date.parse(request.mergedAt ?? '')) &&
      byNot(call, request, request.reviewers) &&
      (state === 'all' || request.state === state) &&
      (!wip || draft(request) === (wip === 'yes')) &&
      byUserId(queryText(call, 'reviewer_id'), request.reviewers) &&
      byUsernames(reviewers ? [reviewers] : undefined, request.reviewers) &&
      byUserId(queryText(call, 'merge_user_id'), mergers) &&
      byUsernames(merger ? [merger] : undefined, mergers) &&
      byApprovers(queryList(call, 'approved_by_usernames'), approvers) &&
      (queryText(call, 'source_branch') ?? request.sourceBranch) === request.sourceBranch &&
      (queryText(call, 'target_branch') ?? request.targetBranch) === request.targetBranch
    )
  }

/** Matches None, Any or an iteration's id. */
const byIteration = (value: string | undefined, id: number | null): boolean => {
  if (isNone(value) || isAny(value)) return (id === null) === isNone(value)
  return value === undefined || String(id) === value
}

const DAY = 86_400_000
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** Matches the words that due_date takes (docs: issues API). A date gets a 400, by the contract check. */
const byDueDate = (call: Call, due: string | null): boolean => {
  const now = call.state.now()
  const inDays = (from: number, to: number) =>
    due !== null && due >= dayOf(now + from * DAY) && due <= dayOf(now + to * DAY)
  const words: Record<string, boolean> = {
    '0': due === null,
    any: due !== null,
    today: due === dayOf(now),
    tomorrow: due === dayOf(now + DAY),
    overdue: due !== null && due < dayOf(now),
    week: inDays(0, 7),
    month: inDays(0, 31),
    next_month_and_previous_two_weeks: inDays(-14, 62)
  }
  return words[queryText(call, 'due_date') ?? ''] ?? true
}

/** Whether an issue matches the list's filters. */
export const issueFilter =
  (call: Call, defaultScope: string): Test<Issue> =>
  issue => {
    const state = queryText(call, 'state') ?? 'all'
    const type = queryText(call, 'issue_type')
    const confidential = queryText(call, 'confidential')
    return (
      shared(call, issue, defaultScope) &&
      byNot(call, issue, []) &&
      (state === 'all' || issue.state === state) &&
      (!type || issue.type === type) &&
      (!confidential || issue.confidential === queryFlag(call, 'confidential')) &&
      byIteration(queryText(call, 'iteration_id'), issue.planning.iterationId) &&
      byDueDate(call, issue.dueDate)
    )
  }

/** The smallest priority number of an item's labels. */
const labelPriority = ({ project, labels }: Noteable): number | null => {
  const priorities = project.labels.flatMap(({ name, priority }) =>
    priority !== null && labels.includes(name) ? [priority] : []
  )
  return priorities.length > 0 ? Math.min(...priorities) : null
}

const milestoneDue = ({ milestone }: Noteable) => milestone?.dueDate ?? null

const KEYS = {
  created_at: row => row.createdAt,
  updated_at: row => row.updatedAt,
  title: row => row.title,
  popularity: row => row.awards.filter(({ name }) => name === 'thumbsup').length,
  milestone_due: milestoneDue,
  label_priority: labelPriority,
  priority: row => [milestoneDue(row), labelPriority(row)]
} satisfies Keys<Noteable>

const MERGE_REQUEST_KEYS: Keys<MergeRequest> = { ...KEYS, merged_at: row => row.mergedAt }

/** Issues keep the order in which they were created, because nothing in the sandbox moves one among the others. */
const ISSUE_KEYS: Keys<Issue> = { ...KEYS, due_date: row => row.dueDate, relative_position: row => row.id }
const PAID_ISSUE_KEYS: Keys<Issue> = { ...ISSUE_KEYS, weight: row => row.weight }

/** Merge requests in the order of order_by and sort; by default created_at, descending. */
export const sortedMergeRequests = (call: Call, rows: MergeRequest[]): MergeRequest[] =>
  ordered(call, rows, keyOf(call, MERGE_REQUEST_KEYS, 'created_at'), 'desc')

/** Issues in the same way. */
export const sortedIssues = (call: Call, rows: Issue[]): Issue[] =>
  ordered(
    call,
    rows,
    keyOf(call, call.state.edition === 'ee' ? PAID_ISSUE_KEYS : ISSUE_KEYS, 'created_at'),
    'desc'
  )
