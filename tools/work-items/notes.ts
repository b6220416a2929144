import { Type } from 'typebox'
import { refusePayload } from '../../src/engine/graphql.ts'
import { CursorPage, comment, flag, insteadOfNumber, oneOf, optional } from '../../src/engine/rows/fields.ts'
import { graphql, type ToolRow } from '../../src/engine/rows/row.ts'
import type { Fields } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { pageInfoOf } from '../families/lists/connections.ts'
import { noteMutation, notesQuery } from './documents.ts'
import { explainingPlace, itemGid, itemOf, OneItem, ofOne, oneItem } from './place.ts'
import { discussionRecords, noteRecord } from './record.ts'

/** The discussions of the widget that has them, among those that the forge sent. */
const discussionsOf = ({ widgets }: Fields): unknown =>
  (Array.isArray(widgets) ? (widgets as (Fields | null)[]) : []).find(widget => widget?.discussions)
    ?.discussions

/** How many lines of a text are looked at. If these are all quick actions, the others need not be read. */
const MAX_LINES = 100
const command = /\/[a-z_]/y

/** Whether a text consists only of quick actions. A forge runs them and creates no note. */
function isCommands(body: string): boolean {
  const first = body.length - body.trimStart().length
  let isAny = false
  let at = body.lastIndexOf('\n', first) + 1
  for (let lines = 0; at < body.length && lines < MAX_LINES; lines++) {
    const newline = body.indexOf('\n', at)
    const end = newline < 0 ? body.length : newline
    command.lastIndex = at
    if (command.test(body)) isAny = true
    else if (body.slice(at, end).trim() !== '') return false
    at = end + 1
  }
  return isAny
}

/** The global id of a thread. REST tools give only the last part of it. */
const discussionGid = (id: string | undefined): string | undefined =>
  id === undefined || id.startsWith('gid:') ? id : `gid://gitlab/Discussion/${id}`

interface NotePayload {
  note?: (Fields & { discussion?: { id?: unknown } | null }) | null
  errors?: unknown
}

/** The created note. If the text was only quick actions, the forge's messages about them. */
function noteOf(payload: unknown, body: string): Fields {
  const { note, errors } = (payload ?? {}) as NotePayload
  if (payload && !note && isCommands(body)) {
    const messages = Array.isArray(errors) ? errors.map(String) : []
    return { message: 'The forge took the body as quick actions and made no note.', messages }
  }
  refusePayload(payload)
  if (!note) throw new CallProblem('The forge gave no note back: look before you repeat it.')
  return { ...noteRecord(note), discussion_id: note.discussion?.id }
}

const rows: readonly ToolRow[] = [
  graphql({
    name: 'list_work_item_notes',
    class: 'read',
    does: ['list_issue_discussions'],
    title: 'Work item notes',
    summary: 'List the comments on one, in their threads.',
    input: Type.Object(
      {
        ...OneItem,
        sort: optional(oneOf(['created_asc', 'created_desc'], undefined, 'created_asc')),
        comments_only: optional(Type.Boolean({ default: true, description: 'false: system notes too' })),
        ...CursorPage
      },
      { instead: insteadOfNumber }
    ),
    check: [ofOne],
    document: notesQuery,
    variables: async ({ sort, first, after, ...args }, context) => ({
      ...(await oneItem(args, context)),
      sort: sort?.toUpperCase(),
      first,
      after
    }),
    shape(data, args) {
      const discussions = discussionsOf(itemOf(data, args))
      if (discussions === undefined)
        throw new CallProblem(`Work item ${args.iid} has no notes that the forge shows to this token.`)
      return {
        discussions: discussionRecords(discussions, args.comments_only !== false),
        pageInfo: pageInfoOf(discussions)
      }
    }
  }),
  graphql({
    name: 'create_work_item_note',
    class: 'write',
    does: ['create_issue_note'],
    title: 'Comment on work item',
    summary: 'Comment on one, or answer a thread.',
    input: Type.Object({
      ...OneItem,
      body: comment(),
      discussion_id: optional(
        Type.String({
          pattern: '^(?:gid://gitlab/\\w{1,60}/[\\w-]{1,100}|[\\da-f]{40})$',
          problem: 'must be the gid of a discussion from list_work_item_notes',
          description: 'gid, from list_work_item_notes'
        })
      ),
      internal: optional(flag('For Reporters and up'))
    }),
    check: [ofOne],
    document: noteMutation,
    variables: async ({ body, discussion_id, internal, ...args }, context) => ({
      input: {
        noteableId: await itemGid(args, context),
        body,
        discussionId: discussionGid(discussion_id),
        internal
      }
    }),
    shape: ({ createNote }, { body }) => noteOf(createNote, body)
  })
]

export const noteRows = rows.map(explainingPlace)
