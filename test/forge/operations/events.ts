import { personOf, projectOf, visibleProjects } from '../access.ts'
import { type Call, notFound, type Operations, paged, queryText } from '../http.ts'
import { ordered } from '../model/rows.ts'
import { presentUser } from '../present/user.ts'
import type { Noteable, Project, User } from '../types.ts'

interface Event {
  id: number
  project: Project
  author: User
  action: string
  at: string
  target?: { type: string; id: number; iid?: number; title: string }
  push?: Record<string, unknown>
  note?: string
}

/** The words of the filter, and those of the record (lib/gitlab, Event.actions). */
const WORDS: Record<string, string> = {
  created: 'opened',
  closed: 'closed',
  merged: 'accepted',
  commented: 'commented on',
  pushed: 'pushed to'
}

const ofWork = (item: Noteable): Omit<Event, 'id'>[] => {
  const { project, author, id, iid, title, discussions } = item
  const target = { type: item.kind, id, iid, title }
  const events: Omit<Event, 'id'>[] = [{ project, author, action: 'created', at: item.createdAt, target }]
  if (item.closedAt && item.closedBy)
    events.push({ project, author: item.closedBy, action: 'closed', at: item.closedAt, target })
  for (const note of discussions.flatMap(({ notes }) => notes))
    if (!note.system)
      events.push({
        project,
        author: note.author,
        action: 'commented',
        at: note.createdAt,
        target: { type: 'Note', id: note.id, iid, title },
        note: note.body
      })
  return events
}

/** The events of a project, derived from its current content. */
const ofProject = (project: Project): Omit<Event, 'id'>[] => [
  ...[...project.issues, ...project.mergeRequests].flatMap(ofWork),
  ...project.mergeRequests.flatMap(({ id, iid, title, mergedAt, mergeUser }) =>
    mergedAt && mergeUser
      ? [
          {
            project,
            author: mergeUser,
            action: 'merged',
            at: mergedAt,
            target: { type: 'MergeRequest', id, iid, title }
          }
        ]
      : []
  ),
  ...project.mergeRequests.flatMap(({ id, iid, title, approvals }) =>
    approvals.map(({ user, at }) => ({
      project,
      author: user,
      action: 'approved',
      at,
      target: { type: 'MergeRequest', id, iid, title }
    }))
  ),
  ...[...project.commits.values()].map(({ author, createdAt, message, parents, sha }) => ({
    project,
    author,
    action: 'pushed',
    at: createdAt,
    push: {
      commit_count: 1,
      action: parents.length > 0 ? 'pushed' : 'created',
      ref_type: 'branch',
      commit_from: parents[0] ?? null,
      commit_to: sha,
      ref: [...project.branches.values()].find(branch => branch.sha === sha)?.name ?? project.defaultBranch,
      commit_title: message.split('\n')[0]
    }
  }))
]

const present = (call: Call, { id, project, author, action, at, target, push, note }: Event) => ({
  id,
  project_id: project.id,
  action_name: WORDS[action] ?? action,
  target_id: target?.id ?? null,
  target_iid: target?.iid ?? null,
  target_type: target?.type ?? null,
  author_id: author.id,
  target_title: target?.title ?? null,
  created_at: at,
  author: presentUser(call.state, author),
  author_username: author.username,
  imported: false,
  imported_from: 'none',
  ...(push && { push_data: push }),
  ...(note !== undefined && { note: { id: target?.id, body: note } })
})

const snake = (type: string) => type.replace(/(?<=[a-z])[A-Z]/g, letter => `_${letter}`).toLowerCase()

const list = (call: Call, projects: Project[], author?: User) => {
  const [after, before] = [queryText(call, 'after'), queryText(call, 'before')]
  const [action, type] = [queryText(call, 'action'), queryText(call, 'target_type')]
  const rows = projects
    .flatMap(ofProject)
    .map((event, index) => ({ ...event, id: index + 1 }))
    .filter(
      event =>
        (!author || event.author === author) &&
        (!action || event.action === action) &&
        (!type || snake(event.target?.type ?? '') === type) &&
        (!after || event.at.slice(0, 10) > after) &&
        (!before || event.at.slice(0, 10) < before)
    )
  return paged(
    call,
    ordered(call, rows, ({ at }) => at, 'desc'),
    event => present(call, event)
  )
}

/** Events, newest first. */
export const eventOperations: Operations = {
  list_project_events: call => list(call, [projectOf(call)]),
  list_my_events: call =>
    list(
      call,
      visibleProjects(call.state, call.user),
      queryText(call, 'scope') === 'all' ? undefined : personOf(call)
    ),
  list_user_events: call => {
    const wanted = call.params.id ?? ''
    const user = call.state.users.find(({ id, username }) => [String(id), username].includes(wanted))
    if (!user) throw notFound('User')
    return list(call, visibleProjects(call.state, call.user), user)
  }
}
