import { Type } from 'typebox'
import { lineRange, together } from '../../src/engine/rows/checks.ts'
import { flag, insteadOfPage, KeysetPage, optional, ProjectId, text } from '../../src/engine/rows/fields.ts'
import { LineRange } from '../../src/engine/rows/lines.ts'
import { revision } from '../../src/engine/rows/revisions.ts'
import { custom, rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { blameHunks } from './blame.ts'
import { FilePath, isPath, withDirectory } from './fields.ts'
import { fileFacts } from './file-facts.ts'
import { readFiles } from './several-files.ts'

const Ref = optional(revision('Default HEAD'))

export const fileRows: readonly ToolRow[] = [
  rest({
    name: 'get_file_contents',
    class: 'read',
    title: 'File content',
    summary: 'Read a text file or image, whole or some lines. commit_files takes its last_commit_id.',
    input: Type.Object({
      project_id: ProjectId,
      path: { ...FilePath, ofSeveral: 'get_files' },
      ref: Ref,
      ...LineRange,
      line_numbers: optional(flag('Begin each line with its number')),
      lfs: optional(flag('Read what an LFS pointer stands for'))
    }),
    check: [lineRange],
    request: 'GET /projects/{project_id}/repository/files/{.path}/raw',
    fixed: { ref: 'HEAD' },
    local: ['start_line', 'end_line', 'line_numbers'],
    file: fileFacts,
    advice: {
      404: 'Check ref and path. A directory is read with get_repository_tree, and an empty repository has no files.'
    }
  }),
  custom({
    name: 'get_files',
    class: 'read',
    does: ['get_file_contents'],
    title: 'Several files',
    summary: 'Read up to 20 text files of one commit together.',
    idempotent: true,
    input: Type.Object({
      project_id: ProjectId,
      paths: Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 20,
        each: 'path',
        description: 'From the root'
      }),
      ref: Ref
    }),
    advice: { 404: 'Check project_id and ref: the files themselves may be missing.' },
    run: readFiles
  }),
  rest({
    name: 'get_repository_tree',
    class: 'read',
    title: 'Directory',
    summary: 'List the files of a directory, or with recursive all below it.',
    record: 'tree_entry',
    input: Type.Object(
      {
        project_id: ProjectId,
        path: optional({ ...text('Default the root'), namedIn: 'directory' }),
        ref: Ref,
        recursive: optional(flag()),
        ...KeysetPage
      },
      { instead: insteadOfPage }
    ),
    check: [isPath],
    request: 'GET /projects/{project_id}/repository/tree',
    adapt: withDirectory,
    // With offset pagination, a forge reads the whole tree for each page.
    fixed: { pagination: 'keyset' },
    advice: { 404: 'Check ref and path: it is a directory, and an empty repository has none.' }
  }),
  rest({
    name: 'get_file_blame',
    class: 'read',
    does: ['get_file_contents'],
    title: 'Blame',
    summary: 'Tell which commit last changed each line of a file.',
    input: Type.Object({ project_id: ProjectId, path: FilePath, ref: Ref, ...LineRange }),
    check: [together('start_line', 'end_line'), lineRange],
    request: 'GET /projects/{project_id}/repository/files/{.path}/blame',
    fixed: { ref: 'HEAD' },
    local: ['start_line', 'end_line'],
    adapt: ({ start_line: start, end_line: end, ...args }) => ({
      ...args,
      ...(start !== undefined && { range: { start, end } })
    }),
    shape: blameHunks,
    advice: {
      400: 'Check that the lines exist: get_file_contents says how many there are.',
      404: 'Check ref and path: a file, not a directory.',
      'too-large': 'Give start_line and end_line.'
    }
  })
]
