import { addDiscussion, addReply, checkPosition, makeNote, setResolved } from '../model/notes.ts'
import type { ForgeState } from '../state.ts'
import type { Discussion, Issue, MergeRequest, Position, User } from '../types.ts'

/** Adds a comment that stands alone. */
export const remark = (
  state: ForgeState,
  owner: Issue | MergeRequest,
  author: User,
  body: string,
  at?: string
): Discussion => addDiscussion(state, owner, makeNote(state, { body, author, ...(at ? { at } : {}) }), true)

/** Adds a thread. Its answers are pairs of author and text. */
export const thread = (
  state: ForgeState,
  owner: Issue | MergeRequest,
  parts: {
    author: User
    body: string
    replies?: [User, string][]
    resolvedBy?: User
    at?: string
    position?: Position
  }
): Discussion => {
  const type = parts.position ? 'DiffNote' : 'DiscussionNote'
  const at = parts.at ? { at: parts.at } : {}
  const note = makeNote(state, { body: parts.body, author: parts.author, type, ...at })
  if (parts.position) note.position = checkPosition(state, owner as MergeRequest, parts.position)
  const discussion = addDiscussion(state, owner, note, false)
  for (const [author, body] of parts.replies ?? [])
    addReply(state, owner, discussion, makeNote(state, { body, author, type: 'DiscussionNote', ...at }))
  if (parts.resolvedBy) setResolved(state, discussion.notes, parts.resolvedBy, true)
  return discussion
}

/** The position of an added line in the newest version of a merge request. */
export const addedLine = (request: MergeRequest, path: string, line: number): Position => {
  const { base, start, head } = request.versions.at(-1)!
  return {
    base_sha: base,
    start_sha: start,
    head_sha: head,
    position_type: 'text',
    old_path: path,
    new_path: path,
    new_line: line
  }
}
