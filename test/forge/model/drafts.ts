import type { ForgeState } from '../state.ts'
import type { DraftNote, MergeRequest, User } from '../types.ts'
import { addDiscussion, addReply, makeNote, setResolved } from './notes.ts'
import { runQuickActions } from './quick-actions.ts'

/**
 * Turns a draft into a note: an answer, a diff thread or a single comment. Then it resolves the thread if the draft
 * says so. Quick actions in the draft are carried out now, without a message, and a draft of only quick actions leaves
 * no note (DraftNotes::PublishService makes notes by Notes::CreateService).
 */
export const publishDraft = (state: ForgeState, request: MergeRequest, draft: DraftNote) => {
  const { author, position } = draft
  const body = runQuickActions(state, request, author, draft.note).rest
  request.drafts = request.drafts.filter(other => other !== draft)
  if (body === '') return
  const answered = request.discussions.find(({ id }) => id === draft.discussionId)
  if (answered) {
    addReply(state, request, answered, makeNote(state, { body, author, type: 'DiscussionNote' }))
    setResolved(state, answered.notes, author, draft.resolveDiscussion)
  } else {
    const note = makeNote(state, { body, author, type: position ? 'DiffNote' : null })
    note.position = position
    addDiscussion(state, request, note, position === null)
  }
}

/** Publishes every draft that a person has on a merge request. */
export const publishDrafts = (state: ForgeState, request: MergeRequest, user: User) => {
  for (const draft of request.drafts.filter(({ author }) => author === user))
    publishDraft(state, request, draft)
}

/**
 * Stores a reviewer's state. Requesting changes takes back the reviewer's approval. The author, and anybody who is not
 * a reviewer, is silently ignored: the route drops the service's result (lib/api/draft_notes.rb).
 */
export const setReviewed = (request: MergeRequest, user: User, state: string) => {
  if (user === request.author || !request.reviewers.includes(user)) return
  request.reviewed.set(user, state)
  if (state === 'requested_changes')
    request.approvals = request.approvals.filter(approval => approval.user !== user)
}
