import { maySeeIssue } from '../access.ts'
import type { ForgeState } from '../state.ts'
import type { Epic, Issue, MergeRequest, User } from '../types.ts'
import { commitsBetween } from './history.ts'
import { addSystemNote } from './notes.ts'

/** Statuses that the forge itself sets. */
const [TO_DO, DONE] = [1, 3]

/** Closes or reopens. Nothing changes if that is its state already, or if it is merged. */
export const setClosed = (
  state: ForgeState,
  owner: Issue | Epic | MergeRequest,
  user: User,
  closed: boolean,
  remark = closed ? 'closed' : 'reopened'
) => {
  if (owner.state === (closed ? 'closed' : 'opened') || owner.state === 'merged') return
  owner.state = closed ? 'closed' : 'opened'
  owner.closedAt = closed ? state.time() : null
  owner.closedBy = closed ? user : null
  owner.updatedAt = state.time()
  if (owner.kind === 'Issue') owner.planning.statusId = closed ? DONE : TO_DO
  else owner.autoMerge = null
  addSystemNote(state, owner, user, remark)
}

/** Sets the status of a work item, which also opens or closes the item (docs: status, categories). */
export const setStatus = (state: ForgeState, item: Issue | Epic, user: User, statusId: number) => {
  setClosed(state, item, user, statusId >= DONE)
  item.planning.statusId = statusId
}

/** The forge's default pattern, shortened (docs: automatic issue closing). */
const CLOSES = /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)):? #(\d+)/gi

/** The issues that a merge into the default branch closes: those named in its texts and commits. */
export const closedBy = ({ project, ...request }: MergeRequest, user: User): Issue[] => {
  if (request.targetBranch !== project.defaultBranch) return []
  const { base, head } = request.versions.at(-1)!
  const messages = commitsBetween(project, base, head).map(({ message }) => message)
  const text = [request.title, request.description ?? '', ...messages].join('\n')
  const iids = [...text.matchAll(CLOSES)].map(([, iid]) => Number(iid))
  return project.issues.filter(issue => iids.includes(issue.iid) && maySeeIssue(user, issue))
}
