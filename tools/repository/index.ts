import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { attachmentRows } from './attachments.ts'
import { branchRows } from './branches.ts'
import { codeRows } from './code.ts'
import { commitFilesRow } from './commit-files.ts'
import { commitRows } from './commits.ts'
import { fileRows } from './files.ts'
import { protectionRows } from './protection.ts'
import { replayRows } from './replays.ts'
import { statusRows } from './statuses.ts'
import { tagRows } from './tags.ts'

export const repository: Toolset = {
  id: 'repository',
  summary: 'Files, code search, commits, branches, tags and their protection, attachments.',
  rows: [
    ...fileRows,
    ...codeRows,
    ...commitRows,
    ...statusRows,
    ...branchRows,
    commitFilesRow,
    ...replayRows,
    ...tagRows,
    ...protectionRows,
    ...attachmentRows
  ]
}
