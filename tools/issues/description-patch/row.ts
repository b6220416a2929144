import { Type } from 'typebox'
import {
  flag,
  forgeDefault,
  IssueIid,
  markdown,
  oneOf,
  optional,
  ProjectId
} from '../../../src/engine/rows/fields.ts'
import { custom, type ToolRow } from '../../../src/engine/rows/row.ts'
import { showDescriptions, updateDescription } from './update.ts'

export const descriptionPatchRow: ToolRow = custom({
  name: 'update_issue_description_patch',
  class: 'write',
  does: ['update_issue'],
  doesWith: { dry_run: { true: showDescriptions }, create_note: { true: 'create_issue_note' } },
  title: 'Patch description',
  summary: 'Edit parts of the description; get_issue first.',
  input: Type.Object({
    project_id: ProjectId,
    issue_iid: IssueIid,
    patch_type: oneOf(['search_replace', 'unified_diff']),
    patch: {
      ...markdown(
        'search_replace: lines <<<<<<< SEARCH, exact old text, =======, new text, >>>>>>> REPLACE; unified_diff: @@ hunks'
      ),
      quotesStored: true,
      minLength: 1,
      maxLength: 50_000
    },
    dry_run: optional(flag('Only preview')),
    create_note: optional(flag('Comment with a summary')),
    allow_multiple: optional(forgeDefault(false, flag('search_replace: every match')))
  }),
  idempotent: false,
  run: updateDescription
})
