import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { descriptionPatchRow } from './description-patch/row.ts'
import { issueRows } from './issues.ts'
import { issueLinkRows } from './links.ts'
import { issueNoteRows } from './notes.ts'
import { issueReactionRows } from './reactions.ts'
import { plateRow } from './todos/plate.ts'
import { todoRows } from './todos/todos.ts'

export const issues: Toolset = {
  id: 'issues',
  summary: 'Issues with their threads, links and reactions, and to-dos.',
  rows: [
    ...issueRows,
    descriptionPatchRow,
    ...issueNoteRows,
    ...issueLinkRows,
    ...issueReactionRows,
    ...todoRows,
    plateRow
  ]
}
