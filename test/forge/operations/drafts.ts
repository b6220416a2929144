import {
  badRequest,
  bodyFlag,
  bodyText,
  type Call,
  created,
  noContent,
  notFound,
  type Operations,
  ok
} from '../http.ts'
import { publishDraft, publishDrafts, setReviewed } from '../model/drafts.ts'
import { addDiscussion, checkPosition, makeNote } from '../model/notes.ts'
import { runQuickActions } from '../model/quick-actions.ts'
import { presentDraft } from '../present/note.ts'
import type { DraftNote, MergeRequest } from '../types.ts'
import { currentMergeRequest } from './merge-requests.ts'
import { isResolver } from './notes.ts'

/** The caller's own drafts. Nobody else sees them (docs: draft notes API). */
const own = (call: Call, request: MergeRequest) => request.drafts.filter(({ author }) => author === call.user)

const draftOf = (call: Call, request: MergeRequest): DraftNote => {
  const found = own(call, request).find(({ id }) => String(id) === call.params.draft_note_id)
  if (!found) throw notFound('Draft Note')
  return found
}

const positionOf = (call: Call, request: MergeRequest) =>
  call.body.position ? checkPosition(call.state, request, call.body.position) : null

const create = (call: Call) => {
  const request = currentMergeRequest(call)
  const note = bodyText(call, 'note')
  if (!note?.trim()) throw badRequest(`Draft note {:note=>["can't be blank"]}`)
  const discussionId = bodyText(call, 'in_reply_to_discussion_id') ?? null
  if (discussionId && !request.discussions.some(({ id }) => id === discussionId)) throw notFound('Discussion')
  // DraftNotes::CreateService
  if (bodyFlag(call, 'resolve_discussion') && !(discussionId && isResolver(call, request)))
    throw badRequest('User is not allowed to resolve thread')
  const draft: DraftNote = {
    id: call.state.nextId('draft'),
    author: call.user,
    note,
    discussionId,
    resolveDiscussion: bodyFlag(call, 'resolve_discussion') ?? false,
    commitId: bodyText(call, 'commit_id') ?? null,
    position: positionOf(call, request)
  }
  request.drafts.push(draft)
  return created(presentDraft(call.state, request, draft))
}

const update = (call: Call) => {
  const request = currentMergeRequest(call)
  const draft = draftOf(call, request)
  const note = bodyText(call, 'note')
  if (!note?.trim()) throw badRequest('Missing params to modify')
  draft.note = note
  // The route overwrites the position with the given one, even if none is given (lib/api/draft_notes.rb).
  draft.position = positionOf(call, request)
  return ok(presentDraft(call.state, request, draft))
}

export const draftOperations: Operations = {
  list_draft_notes: call => {
    const request = currentMergeRequest(call)
    return ok(own(call, request).map(draft => presentDraft(call.state, request, draft)))
  },
  create_draft_note: create,
  get_draft_note: call => {
    const request = currentMergeRequest(call)
    return ok(presentDraft(call.state, request, draftOf(call, request)))
  },
  update_draft_note: update,
  delete_draft_note: call => {
    const request = currentMergeRequest(call)
    const draft = draftOf(call, request)
    request.drafts = request.drafts.filter(other => other !== draft)
    return noContent()
  },
  publish_draft_note: call => {
    const request = currentMergeRequest(call)
    publishDraft(call.state, request, draftOf(call, request))
    return noContent()
  },
  bulk_publish_draft_notes: call => {
    const request = currentMergeRequest(call)
    publishDrafts(call.state, request, call.user)
    const body = runQuickActions(call.state, request, call.user, bodyText(call, 'note') ?? '').rest
    if (body) addDiscussion(call.state, request, makeNote(call.state, { body, author: call.user }), true)
    const state = bodyText(call, 'reviewer_state')
    if (state) setReviewed(request, call.user, state)
    return noContent()
  }
}
