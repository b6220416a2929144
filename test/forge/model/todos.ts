import { levelIn, maySeeIssue } from '../access.ts'
import type { ForgeState } from '../state.ts'
import type { Epic, Issue, MergeRequest, User } from '../types.ts'
import { isCalled } from './filters.ts'

type Target = Issue | Epic | MergeRequest
type By = { author: User; body?: string }

const maySee = (user: User, target: Issue | MergeRequest) =>
  levelIn(user, target.project) > 0 && (target.kind !== 'Issue' || maySeeIssue(user, target))

/**
 * Adds to-dos. A person has at most one pending to-do for a target, so the first is kept (docs: to-do list). People
 * also get to-dos from their own actions.
 */
const addTodos = (state: ForgeState, target: Target, users: User[], action: string, { author, body }: By) => {
  if (!('project' in target)) return
  const waiting = state.todos.filter(todo => todo.target === target && todo.state === 'pending')
  for (const user of users) {
    if (!maySee(user, target) || waiting.some(todo => todo.user === user)) continue
    const [id, createdAt] = [state.nextId('todo'), state.time()]
    const parts = { user, author, action, target, body: body ?? target.title, createdAt }
    state.todos.push({ ...parts, id, state: 'pending', updatedAt: createdAt })
  }
}

/** Ends a person's pending to-dos for a target, as any action of that person on the target does (docs: to-do list). */
export const endTodos = (state: ForgeState, target: Target, user: User) => {
  for (const todo of state.todos)
    if (todo.target === target && todo.user === user && todo.state === 'pending')
      Object.assign(todo, { state: 'done', updatedAt: state.time() })
}

/** Sets the assignees. New ones get a to-do. */
export const assign = (state: ForgeState, target: Target, users: User[], author: User) => {
  const added = users.filter(user => !target.assignees.includes(user))
  target.assignees = users
  addTodos(state, target, added, 'assigned', { author })
}

/** Sets the reviewers to exactly these people. New ones get a to-do. */
export const askReview = (state: ForgeState, request: MergeRequest, users: User[], author: User) => {
  const added = users.filter(user => !request.reviewers.includes(user))
  request.reviewers = users
  addTodos(state, request, added, 'review_requested', { author })
}

const namesIn = (text: string) => [...text.matchAll(/(?<![\w`@/])@([\w.-]*\w)/g)].map(([, name]) => name!)

/**
 * Gives to-dos to people whom a text mentions and `before` did not. The person named at the very beginning is addressed
 * directly.
 */
export const mention = (state: ForgeState, target: Target, text: string, by: By, before = '') => {
  const told = namesIn(before)
  const names = namesIn(text).filter(name => !told.includes(name))
  const people = (these: string[]) => state.users.filter(user => these.some(name => isCalled(user, name)))
  const [, first] = /^\s*@([\w.-]*\w)/.exec(text) ?? []
  const isFirst = (name: string) => name === first
  addTodos(state, target, people(names.filter(isFirst)), 'directly_addressed', by)
  addTodos(state, target, people(names.filter(name => !isFirst(name))), 'mentioned', by)
}
