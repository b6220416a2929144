import { Type } from 'typebox'
import { lineRange } from '../../src/engine/rows/checks.ts'
import { fileText, forgeDefault, oneOf, optional, ProjectId, text } from '../../src/engine/rows/fields.ts'
import { LineRange } from '../../src/engine/rows/lines.ts'
import { made } from '../../src/engine/rows/made-names.ts'
import { custom, rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { MAX_CONTENT_CHARS } from '../families/files/file-actions.ts'
import { uploadAttachment } from './upload-attachment.ts'

const Secret = Type.String({
  pattern: '^[^/]+$',
  problem: 'must be the part of the link between /uploads/ and the name of the file, without slashes'
})

const ofLink =
  'as a link ends with /uploads/SECRET/FILENAME: give the one as secret, and the other as filename'

/** Tools for files that descriptions and comments show or link to. */
export const attachmentRows: readonly ToolRow[] = [
  rest({
    name: 'get_attachment',
    class: 'read',
    title: 'Attachment',
    summary: 'Read an image or text that a description or comment links to as /uploads/SECRET/FILENAME.',
    input: Type.Object(
      { project_id: ProjectId, secret: Secret, filename: text(), ...LineRange },
      { instead: { full_path: ofLink, url: ofLink, markdown: ofLink } }
    ),
    check: [lineRange],
    request: 'GET /projects/{project_id}/uploads/{.secret}/{.filename}',
    local: ['start_line', 'end_line'],
    file: (_, { filename }) => ({ facts: { filename } }),
    advice: {
      404: 'Check secret and filename against the link, and that it is of this project (forges from 17.4).'
    }
  }),
  custom({
    name: 'upload_attachment',
    class: 'write',
    title: 'Upload attachment',
    summary: 'Upload a file to put into a description or comment: paste the markdown of the result.',
    idempotent: false,
    input: Type.Object({
      project_id: ProjectId,
      filename: made(text()),
      content: fileText(Type.String({ maxLength: MAX_CONTENT_CHARS })),
      encoding: optional(forgeDefault('text', oneOf(['text', 'base64'])))
    }),
    advice: { 413: 'Nothing was uploaded: the file is larger than the forge takes.' },
    run: uploadAttachment
  })
]
