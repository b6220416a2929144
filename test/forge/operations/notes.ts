import { timeOf } from '../../../src/engine/rows/calendar.ts'
import { LEVEL, levelIn } from '../access.ts'
import {
  accepted,
  badRequest,
  bodyFlag,
  bodyText,
  type Call,
  created,
  forbidden,
  noContent,
  notFound,
  type Operations,
  ok,
  paged,
  queryText
} from '../http.ts'
import { addDiscussion, addReply, checkPosition, makeNote, setResolved } from '../model/notes.ts'
import { runQuickActions } from '../model/quick-actions.ts'
import { presentDiscussion, presentNote } from '../present/note.ts'
import type { Discussion, Issue, MergeRequest, Note, Noteable } from '../types.ts'

type Owner = Issue | MergeRequest
type FindOwner = (call: Call) => Owner

const visible = (call: Call, owner: Noteable, note: Note) =>
  !note.internal || levelIn(call.user, owner.project) >= LEVEL.reporter

const allNotes = (call: Call, owner: Noteable) =>
  owner.discussions.flatMap(({ notes }) => notes).filter(note => visible(call, owner, note))

const noteOf = (call: Call, owner: Noteable): Note => {
  const found = allNotes(call, owner).find(note => String(note.id) === call.params.note_id)
  if (!found) throw notFound('Note')
  return found
}

const discussionOf = (call: Call, owner: Noteable): Discussion => {
  const found = owner.discussions.find(candidate => candidate.id === call.params.discussion_id)
  if (!found) throw notFound('Discussion')
  return found
}

const noteInDiscussion = (call: Call, discussion: Discussion): Note => {
  const found = discussion.notes.find(note => String(note.id) === call.params.note_id)
  if (!found) throw notFound('Note')
  return found
}

/** Checks that the caller may edit a note: authors their own, maintainers everyone's (docs: permissions). */
const mayAdmin = (call: Call, owner: Noteable, note: Note) => {
  if (note.system || (note.author !== call.user && levelIn(call.user, owner.project) < LEVEL.maintainer))
    throw forbidden()
}

/**
 * Checks that the caller may resolve a thread: developers and the author of the merge request or issue may (docs:
 * discussions API).
 */
const mayResolve = (call: Call, owner: Noteable, notes: Note[]) => {
  if (!isResolver(call, owner) || !notes.some(note => note.resolvable)) throw forbidden()
}

export const isResolver = ({ user }: Call, owner: Noteable): boolean =>
  owner.author === user || levelIn(user, owner.project) >= LEVEL.developer

/** The created_at of a body. It counts only for owners and administrators, and is silently dropped for others. */
const backdated = (call: Call, owner: Noteable) => {
  const at = bodyText(call, 'created_at')
  return at && levelIn(call.user, owner.project) >= LEVEL.owner
    ? new Date(timeOf(at)).toISOString()
    : undefined
}

const draftNote = (call: Call, owner: Owner, type: Note['type']) => {
  const body = bodyText(call, 'body') ?? ''
  if (body.trim() === '') throw blank()
  if (owner.discussionLocked && levelIn(call.user, owner.project) < LEVEL.reporter) throw forbidden()
  const outcome = runQuickActions(call.state, owner, call.user, body)
  // A note of only quick actions is not stored: the answer is 202 with what they did.
  if (outcome.rest === '' && outcome.summary.length === 0) throw badRequest('Failed to apply commands.')
  if (outcome.rest === '')
    return { commands: accepted({ commands_changes: outcome.changes, summary: outcome.summary }) }
  const internal = bodyFlag(call, 'internal') ?? bodyFlag(call, 'confidential') ?? false
  const at = backdated(call, owner)
  return {
    changes: outcome.changes,
    note: makeNote(call.state, {
      body: outcome.rest,
      author: call.user,
      type,
      internal,
      ...(at ? { at } : {})
    })
  }
}

const blank = () => badRequest(`Note {:note=>["can't be blank"]}`)

/**
 * Edits a note. Quick actions are carried out as in a new note. A note of only quick actions is deleted, whatever they
 * did (GitLab: Notes::UpdateService).
 */
const edit = (call: Call, owner: Owner, note: Note) => {
  mayAdmin(call, owner, note)
  const body = bodyText(call, 'body')
  if (body !== undefined && body?.trim() === '') throw blank()
  const { rest, changes, summary } = runQuickActions(call.state, owner, call.user, body ?? '')
  if (body && rest === '') {
    drop(owner, note)
    if (summary.length === 0) throw blank()
    return accepted({ commands_changes: changes, summary })
  }
  if (body) note.body = rest
  note.updatedAt = call.state.time()
  return ok(presentNote(call.state, owner, note, changes))
}

const drop = (owner: Owner, note: Note) => {
  for (const discussion of owner.discussions)
    discussion.notes = discussion.notes.filter(other => other !== note)
  owner.discussions = owner.discussions.filter(discussion => discussion.notes.length > 0)
}

const remove = (call: Call, owner: Owner, note: Note) => {
  mayAdmin(call, owner, note)
  drop(owner, note)
  return noContent()
}

const listNotes = (call: Call, owner: Noteable) => {
  const key = queryText(call, 'order_by') === 'updated_at' ? 'updatedAt' : 'createdAt'
  const sign = queryText(call, 'sort') === 'asc' ? 1 : -1
  const filter = queryText(call, 'activity_filter') ?? 'all_notes'
  const rows = allNotes(call, owner)
    .filter(note => filter === 'all_notes' || note.system === (filter === 'only_activity'))
    .sort((a, b) => sign * (a[key].localeCompare(b[key]) || a.id - b.id))
  return paged(call, rows, note => presentNote(call.state, owner, note))
}

const createDiscussion = (call: Call, owner: Owner) => {
  const given = call.body.position
  const position = owner.kind === 'MergeRequest' && given ? checkPosition(call.state, owner, given) : null
  const { note, commands } = draftNote(call, owner, position ? 'DiffNote' : 'DiscussionNote')
  if (commands) return commands
  note.position = position
  return created(presentDiscussion(call.state, owner, addDiscussion(call.state, owner, note, false)))
}

const updateInDiscussion = (call: Call, owner: Owner) => {
  const discussion = discussionOf(call, owner)
  const note = noteInDiscussion(call, discussion)
  const resolved = bodyFlag(call, 'resolved')
  if (resolved === undefined) return edit(call, owner, note)
  mayResolve(call, owner, [note])
  setResolved(call.state, [note], call.user, resolved)
  return ok(presentNote(call.state, owner, note))
}

/** Routes of notes and discussions for one kind of owner. Merge requests and issues have the same ones. */
export const noteOperations = (kind: 'merge_request' | 'issue', find: FindOwner): Operations => ({
  [`list_${kind}_notes`]: call => listNotes(call, find(call)),
  [`create_${kind}_note`]: call => {
    const owner = find(call)
    const { changes, note, commands } = draftNote(call, owner, null)
    if (commands) return commands
    addDiscussion(call.state, owner, note, true)
    return created(presentNote(call.state, owner, note, changes))
  },
  [`get_${kind}_note`]: call => {
    const owner = find(call)
    return ok(presentNote(call.state, owner, noteOf(call, owner)))
  },
  [`update_${kind}_note`]: call => {
    const owner = find(call)
    return edit(call, owner, noteOf(call, owner))
  },
  [`delete_${kind}_note`]: call => {
    const owner = find(call)
    return remove(call, owner, noteOf(call, owner))
  },
  [`list_${kind}_discussions`]: call => {
    const owner = find(call)
    const rows = owner.discussions.filter(({ notes }) => notes.some(note => visible(call, owner, note)))
    return paged(call, rows, row => presentDiscussion(call.state, owner, row))
  },
  [`create_${kind}_discussion`]: call => createDiscussion(call, find(call)),
  [`get_${kind}_discussion`]: call => {
    const owner = find(call)
    return ok(presentDiscussion(call.state, owner, discussionOf(call, owner)))
  },
  [`resolve_${kind}_discussion`]: call => {
    const owner = find(call)
    const discussion = discussionOf(call, owner)
    mayResolve(call, owner, discussion.notes)
    setResolved(call.state, discussion.notes, call.user, bodyFlag(call, 'resolved') ?? false)
    return ok(presentDiscussion(call.state, owner, discussion))
  },
  [`list_${kind}_discussion_notes`]: call => {
    const owner = find(call)
    return ok(discussionOf(call, owner).notes.map(note => presentNote(call.state, owner, note)))
  },
  [`create_${kind}_discussion_note`]: call => {
    const owner = find(call)
    const discussion = discussionOf(call, owner)
    const { changes, note, commands } = draftNote(call, owner, 'DiscussionNote')
    if (commands) return commands
    addReply(call.state, owner, discussion, note)
    return created(presentNote(call.state, owner, note, changes))
  },
  [`get_${kind}_discussion_note`]: call => {
    const owner = find(call)
    return ok(presentNote(call.state, owner, noteInDiscussion(call, discussionOf(call, owner))))
  },
  [`update_${kind}_discussion_note`]: call => updateInDiscussion(call, find(call)),
  [`delete_${kind}_discussion_note`]: call => {
    const owner = find(call)
    return remove(call, owner, noteInDiscussion(call, discussionOf(call, owner)))
  }
})
