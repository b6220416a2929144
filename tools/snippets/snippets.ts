import { Type } from 'typebox'
import { lineRange, someChange } from '../../src/engine/rows/checks.ts'
import {
  Confirm,
  fileText,
  inert,
  noneIfEmpty,
  oneOf,
  optional,
  Page,
  projectId,
  text
} from '../../src/engine/rows/fields.ts'
import { LineRange } from '../../src/engine/rows/lines.ts'
import { made } from '../../src/engine/rows/made-names.ts'
import { custom, rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { snippetOfText } from '../families/files/encoded-content.ts'
import {
  emptiedFiles,
  leftOut,
  oneActionEach,
  SnippetActions,
  textAlone,
  wholeActions
} from '../families/files/file-actions.ts'
import { wholeUpdates } from '../families/files/whole-updates.ts'
import { namedFiles, withFileName } from './file-name.ts'
import { readSnippet, storedText } from './read-snippet.ts'

/** A project's snippets, or else the caller's own. */
const project = { project_id: optional(projectId('Without it your own')) }
const one = { ...project, snippet_id: text() }
const Visibility = optional(oneOf(['private', 'internal', 'public']))

const ofOne = <V extends string>(verb: V) =>
  [`${verb} /projects/{project_id}/snippets/{snippet_id}`, `${verb} /snippets/{snippet_id}`] as const

const noSuchSnippet =
  'Check snippet_id: one of a project needs its project_id, and list_snippets gives both kinds.'

const inFiles = 'files has file_path and content of each'
const asActions = 'files has action (update), file_path and content of each'
const emptied = emptiedFiles('files')
const unused = leftOut('files')
const refuseLoss = wholeUpdates('files', {
  instead: {
    ofLine: 'Give all of its lines; where the line is meant, add a word to it',
    ofPart: 'Read it whole with get_snippet, and give all'
  },
  shownBy: 'get_snippet',
  read: storedText
})

export const snippetRows: readonly ToolRow[] = [
  rest({
    name: 'list_snippets',
    class: 'read',
    noProject: true,
    title: 'Snippets',
    summary: 'List snippets of a project, or your own.',
    record: 'snippet',
    input: Type.Object({ ...project, ...Page }),
    request: ['GET /projects/{project_id}/snippets', 'GET /snippets']
  }),
  custom({
    name: 'get_snippet',
    class: 'read',
    noProject: true,
    title: 'Snippet',
    summary: 'Read a file of a snippet; of several files without file_path, list them.',
    idempotent: true,
    input: Type.Object({ ...one, file_path: optional(text()), ...LineRange }),
    check: [lineRange],
    advice: { 404: noSuchSnippet },
    run: readSnippet
  }),
  rest({
    name: 'create_snippet',
    class: 'write',
    noProject: true,
    title: 'New snippet',
    summary: 'Create a snippet, private unless said otherwise.',
    record: 'snippet',
    input: Type.Object(
      {
        ...project,
        title: text(),
        description: optional(inert(text())),
        visibility: Visibility,
        files: Type.Array(
          Type.Object(
            { file_path: made(text()), content: fileText(text()) },
            { instead: { encoding: `as ${textAlone}` } }
          ),
          { minItems: 1, maxItems: 10 }
        )
      },
      { instead: { content: inFiles, file_name: inFiles, filename: inFiles } }
    ),
    check: [wholeActions('files'), oneActionEach('files'), snippetOfText],
    request: ['POST /projects/{project_id}/snippets', 'POST /snippets'],
    fixed: { visibility: 'private' }
  }),
  rest({
    name: 'update_snippet',
    class: 'write',
    noProject: true,
    title: 'Change snippet',
    summary: 'Change a snippet or its files.',
    record: 'snippet',
    input: Type.Object(
      {
        ...one,
        title: optional(noneIfEmpty(text())),
        description: optional(inert(text())),
        visibility: Visibility,
        files: optional(SnippetActions)
      },
      { instead: { content: asActions, file_name: asActions, filename: asActions, file_path: asActions } }
    ),
    check: [
      someChange('project_id', 'snippet_id'),
      namedFiles,
      wholeActions('files'),
      oneActionEach('files'),
      snippetOfText
    ],
    adapt: async (args, context) => refuseLoss(await withFileName(args, context), context),
    request: ofOne('PUT'),
    local: ['said'],
    notice: (value, args, _, adapted) =>
      [unused(args), emptied(value, adapted), adapted.said].filter(said => said !== undefined).join(' ') ||
      undefined,
    advice: {
      400: [[/file with this name/, 'get_snippet without file_path has the names of its files.']],
      404: noSuchSnippet
    }
  }),
  rest({
    name: 'delete_snippet',
    class: 'destructive',
    noProject: true,
    title: 'Delete snippet',
    summary: 'Delete a snippet with its history.',
    input: Type.Object({ ...one, confirm: Confirm('title') }),
    confirm: { read: ofOne('GET'), field: 'title', noun: 'snippet' },
    request: ofOne('DELETE'),
    local: ['confirm'],
    done: 'The snippet is deleted.',
    advice: { 404: noSuchSnippet }
  })
]
