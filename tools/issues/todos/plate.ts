import { Type } from 'typebox'
import type { ToolContext } from '../../../src/engine/context.ts'
import { queryOf } from '../../../src/engine/requests/query.ts'
import { listOf, numberIn } from '../../../src/engine/requests/record.ts'
import { type Part, readParts } from '../../../src/engine/requests/side-by-side.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { custom } from '../../../src/engine/rows/row.ts'
import { type Fields, fieldsOf } from '../../../src/results/is-record.ts'

/** How many records of each kind are shown. A list of this length may have more. */
const MAX_SHOWN = 30

/** Lists everything that waits for the caller, in one bounded read. */
export const plateRow = custom({
  name: 'whats_on_my_plate',
  class: 'read',
  does: ['list_todos', 'list_merge_requests', 'list_issues'],
  title: 'My plate',
  summary: 'List what waits for you: to-dos, reviews, assigned merge requests and issues, those due first.',
  input: Type.Object({}),
  idempotent: true,
  run: async (_, context) => ({ value: await plate(context) })
})

async function plate({ forge }: ToolContext): Promise<Fields> {
  const list = async (path: string, query: Readonly<Record<string, string>>) => {
    const place = requestTo(`GET ${path}`, {}, queryOf({ ...query, per_page: MAX_SHOWN }))
    const { value } = await forge.send(place)
    return listOf<Fields>(value).slice(0, MAX_SHOWN)
  }
  const toReview = async () => {
    const { value } = await forge.send(requestTo('GET /user', {}))
    const reviewer = String(numberIn(value, 'id'))
    return list('/merge_requests', { scope: 'all', state: 'opened', reviewer_id: reviewer })
  }
  const { todos, reviews, assigned, issues } = await readParts({
    todos: () => list('/todos', { state: 'pending' }),
    reviews: toReview,
    assigned: () => list('/merge_requests', { scope: 'assigned_to_me', state: 'opened' }),
    issues: () =>
      list('/issues', { scope: 'assigned_to_me', state: 'opened', order_by: 'due_date', sort: 'asc' })
  })
  const parts = [todos, reviews, assigned, issues]
  // If the token may read none of the lists, the call fails.
  if (parts.every(({ problem }) => problem !== undefined)) throw todos.error
  return {
    todos: shown(todos, todo => ({
      id: todo.id,
      action_name: todo.action_name,
      target_type: todo.target_type,
      title: fieldsOf(todo.target).title,
      by: fieldsOf(todo.author).username,
      project: fieldsOf(todo.project).path_with_namespace,
      target_url: todo.target_url
    })),
    merge_requests_to_review: shown(reviews, mergeRequest),
    merge_requests_assigned: shown(assigned, mergeRequest),
    issues_assigned: shown(issues, issue => ({
      iid: issue.iid,
      project_id: issue.project_id,
      title: issue.title,
      due_date: issue.due_date,
      labels: issue.labels,
      milestone: fieldsOf(issue.milestone).title,
      web_url: issue.web_url
    })),
    ...(parts.some(({ value }) => value?.length === MAX_SHOWN) && {
      more: `A list of ${MAX_SHOWN} may go on: list_todos, list_merge_requests and my_issues page through all.`
    })
  }
}

const shown = (part: Part<readonly Fields[]>, show: (record: Fields) => Fields) =>
  part.problem ?? part.value.map(show)

const mergeRequest = (request: Fields): Fields => ({
  iid: request.iid,
  project_id: request.project_id,
  title: request.title,
  author: fieldsOf(request.author).username,
  draft: request.draft,
  detailed_merge_status: request.detailed_merge_status,
  updated_at: request.updated_at,
  web_url: request.web_url
})
