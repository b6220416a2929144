import { IssueIid, ProjectId } from '../../src/engine/rows/fields.ts'
import type { ToolRow } from '../../src/engine/rows/row.ts'
import {
  createReaction,
  deleteReaction,
  listReactions,
  notesOf,
  type Parent
} from '../families/items/reactions.ts'

const parent: Parent = {
  noun: 'issue',
  fields: { project_id: ProjectId, issue_iid: IssueIid },
  path: '/projects/{project_id}/issues/{issue_iid}'
}
const notes = notesOf(parent)

export const issueReactionRows: readonly ToolRow[] = [
  listReactions('list_issue_emoji_reactions', parent),
  createReaction('create_issue_emoji_reaction', parent),
  deleteReaction('delete_issue_emoji_reaction', parent),
  listReactions('list_issue_note_emoji_reactions', notes),
  createReaction('create_issue_note_emoji_reaction', notes),
  deleteReaction('delete_issue_note_emoji_reaction', notes)
]
