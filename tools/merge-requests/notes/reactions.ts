import type { ToolRow } from '../../../src/engine/rows/row.ts'
import {
  createReaction,
  deleteReaction,
  listReactions,
  notesOf,
  type Parent
} from '../../families/items/reactions.ts'
import { mergeRequest } from '../one.ts'

const parent: Parent = {
  noun: 'MR',
  fields: mergeRequest,
  path: '/projects/{project_id}/merge_requests/{merge_request_iid}'
}
const notes = notesOf(parent)

export const reactionRows: readonly ToolRow[] = [
  listReactions('list_merge_request_emoji_reactions', parent),
  createReaction('create_merge_request_emoji_reaction', parent),
  deleteReaction('delete_merge_request_emoji_reaction', parent),
  listReactions('list_merge_request_note_emoji_reactions', notes),
  createReaction('create_merge_request_note_emoji_reaction', notes),
  deleteReaction('delete_merge_request_note_emoji_reaction', notes)
]
