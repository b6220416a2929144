import { Type } from 'typebox'
import { flag, IssueIid, oneOf, optional, ProjectId } from '../../../src/catalog/fields.ts'
import { custom, type ToolRow } from '../../../src/catalog/row.ts'
import { updateDescription } from './update.ts'

export const descriptionPatchRow: ToolRow = custom({
  name: 'update_issue_description_patch',
  class: 'write',
  title: 'Patch an issue description',
  summary: 'Edit parts of an issue description; read it with get_issue first.',
  input: Type.Object({
    project_id: ProjectId,
    issue_iid: IssueIid,
    patch_type: oneOf(['search_replace', 'unified_diff']),
    patch: Type.String({
      minLength: 1,
      maxLength: 50_000,
      description:
        'search_replace: blocks of lines <<<<<<< SEARCH, exact old text, =======, new text, >>>>>>> REPLACE; unified_diff: @@ hunks'
    }),
    dry_run: optional(flag('Only preview')),
    create_note: optional(flag('Also comment with a summary')),
    allow_multiple: optional(
      Type.Boolean({ default: false, description: 'search_replace: replace every match' })
    )
  }),
  idempotent: false,
  run: updateDescription
})
