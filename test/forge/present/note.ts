import { presentSuggestion, suggestionsOf } from '../model/suggestions.ts'
import type { ForgeState } from '../state.ts'
import type { Award, Discussion, DraftNote, MergeRequest, Note, Noteable } from '../types.ts'
import { presentUser, presentUserOrNull } from './user.ts'

/**
 * A note.
 * @param changes what its quick actions did; a forge shows this only in the answer that stores the note
 */
export const presentNote = (
  state: ForgeState,
  owner: Noteable,
  note: Note,
  changes: Record<string, unknown> = {}
) => ({
  id: note.id,
  type: note.type,
  body: note.body,
  author: presentUser(state, note.author),
  created_at: note.createdAt,
  updated_at: note.updatedAt,
  system: note.system,
  noteable_id: owner.id,
  noteable_type: owner.kind,
  project_id: owner.project.id,
  commit_id: null,
  ...(note.position ? { position: note.position } : {}),
  resolvable: note.resolvable,
  ...(note.resolvable
    ? {
        resolved: note.resolvedAt !== null,
        resolved_by: presentUserOrNull(state, note.resolvedBy),
        resolved_at: note.resolvedAt
      }
    : {}),
  suggestions: suggestionsOf(state, owner, note).map(presentSuggestion),
  confidential: note.internal,
  internal: note.internal,
  imported: false,
  imported_from: 'none',
  noteable_iid: owner.iid,
  commands_changes: changes
})

export const presentDiscussion = (state: ForgeState, owner: Noteable, discussion: Discussion) => {
  const resolvable = discussion.notes.some(note => note.resolvable)
  return {
    id: discussion.id,
    individual_note: discussion.individual,
    resolvable,
    resolved: resolvable && discussion.notes.every(note => !note.resolvable || note.resolvedAt !== null),
    notes: discussion.notes.map(note => presentNote(state, owner, note))
  }
}

export const presentDraft = (state: ForgeState, request: MergeRequest, draft: DraftNote) => ({
  id: draft.id,
  author_id: draft.author.id,
  merge_request_id: request.id,
  resolve_discussion: draft.resolveDiscussion,
  discussion_id: draft.discussionId,
  note: draft.note,
  commit_id: draft.commitId,
  line_code: draft.position ? lineCode(state, draft.position) : null,
  position: draft.position ?? EMPTY_POSITION
})

// A draft without a position still shows the object, with every field null (draft notes API, example answers).
const EMPTY_POSITION = {
  base_sha: null,
  start_sha: null,
  head_sha: null,
  old_path: null,
  new_path: null,
  position_type: 'text',
  old_line: null,
  new_line: null,
  line_range: null
}

/** The forge's line code: sha1(path)_old_new. */
export const lineCode = (state: ForgeState, position: Record<string, unknown>): string => {
  const path = String(position.new_path ?? position.old_path ?? '')
  return `${state.hash(path)}_${position.old_line ?? 0}_${position.new_line ?? 0}`
}

export const presentAward = (
  state: ForgeState,
  award: Award,
  awardableId: number,
  awardableType: string
) => ({
  id: award.id,
  name: award.name,
  user: presentUser(state, award.user),
  created_at: award.createdAt,
  updated_at: award.createdAt,
  awardable_id: awardableId,
  awardable_type: awardableType,
  url: null
})
