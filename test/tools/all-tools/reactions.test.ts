import type { Toolset } from '../../../src/engine/rows/toolset.ts'
import { issues } from '../../../tools/issues/index.ts'
import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { type Case, runTable } from '../../support/tool-table.ts'

interface Parent {
  toolset: Toolset
  kind: 'merge_request' | 'issue'
}

const parents: Parent[] = [
  { toolset: mergeRequests, kind: 'merge_request' },
  { toolset: issues, kind: 'issue' }
]

const casesOf = ({ kind }: Parent): Case[] => {
  const one = { project_id: 'acme/rocket', [`${kind}_iid`]: '12' }
  const base = `/projects/acme%2Frocket/${kind}s/12`
  return [
    {
      title: 'reads all reactions',
      tool: `list_${kind}_emoji_reactions`,
      args: one,
      exchanges: [
        {
          request: `GET ${base}/award_emoji?per_page=100&page=1`,
          reply: { body: [{ id: 1, name: 'thumbsup' }], headers: { 'x-next-page': '2' } }
        },
        { request: `GET ${base}/award_emoji?per_page=100&page=2`, reply: { body: [{ id: 2, name: 'tada' }] } }
      ],
      result: [
        { id: 1, name: 'thumbsup' },
        { id: 2, name: 'tada' }
      ],
      notices: []
    },
    {
      title: 'adds a reaction',
      tool: `create_${kind}_emoji_reaction`,
      args: { ...one, name: 'tada' },
      exchanges: [
        {
          request: `POST ${base}/award_emoji`,
          body: { name: 'tada' },
          reply: { status: 201, body: { id: 2, name: 'tada' } }
        }
      ],
      result: { id: 2, name: 'tada' }
    },
    {
      title: 'says that the reaction may be there already',
      tool: `create_${kind}_emoji_reaction`,
      args: { ...one, name: 'tada' },
      exchanges: [
        {
          request: `POST ${base}/award_emoji`,
          body: { name: 'tada' },
          reply: { status: 404, body: { message: '404 Award Emoji Name has already been taken Not Found' } }
        }
      ],
      error: /404 also means that you gave this reaction already\.$/
    },
    {
      title: 'needs an emoji name',
      tool: `create_${kind}_emoji_reaction`,
      args: one,
      error: 'Invalid arguments: name is required.'
    },
    {
      title: 'needs one that is more than blanks',
      tool: `create_${kind}_emoji_reaction`,
      args: { ...one, name: ' ' },
      error: 'Invalid arguments: name must not be empty.'
    },
    {
      title: 'removes a reaction',
      tool: `delete_${kind}_emoji_reaction`,
      args: { ...one, award_id: 2 },
      exchanges: [{ request: `DELETE ${base}/award_emoji/2`, reply: { status: 204 } }],
      result: { status: 'success', message: 'The reaction is removed.' }
    },
    {
      title: "does not remove somebody else's",
      tool: `delete_${kind}_emoji_reaction`,
      args: { ...one, award_id: '2' },
      exchanges: [
        {
          request: `DELETE ${base}/award_emoji/2`,
          reply: { status: 401, body: { message: '401 Unauthorized' } }
        }
      ],
      error: /Only who gave a reaction may remove it/
    },
    {
      title: 'refuses an award id that climbs',
      tool: `delete_${kind}_emoji_reaction`,
      args: { ...one, award_id: '../..' },
      error: 'award_id must be a number, as the list of emoji gives it, not "../..".'
    },
    {
      title: 'reads the reactions to a note, the same way for a reply',
      tool: `list_${kind}_note_emoji_reactions`,
      args: { ...one, note_id: 3, discussion_id: 'abc' },
      exchanges: [{ request: `GET ${base}/notes/3/award_emoji?per_page=100&page=1`, reply: { body: [] } }],
      result: []
    },
    {
      title: 'adds a reaction to a reply, whose discussion the forge does not ask for',
      tool: `create_${kind}_note_emoji_reaction`,
      args: { ...one, note_id: '3', discussion_id: 'abc', name: 'tada' },
      exchanges: [
        {
          request: `POST ${base}/notes/3/award_emoji`,
          body: { name: 'tada' },
          reply: { status: 201, body: { id: 4 } }
        }
      ],
      result: { id: 4 }
    },
    {
      title: 'adds a reaction to a top-level note',
      tool: `create_${kind}_note_emoji_reaction`,
      args: { ...one, note_id: '3', discussion_id: null, name: 'tada' },
      exchanges: [{ request: `POST ${base}/notes/3/award_emoji`, body: { name: 'tada' } }]
    },
    {
      title: 'removes a reaction from a note',
      tool: `delete_${kind}_note_emoji_reaction`,
      args: { ...one, note_id: '3', discussion_id: 'abc', award_id: '4' },
      exchanges: [{ request: `DELETE ${base}/notes/3/award_emoji/4`, reply: { status: 204 } }],
      result: { status: 'success', message: 'The reaction is removed.' }
    },
    {
      title: 'needs a note',
      tool: `list_${kind}_note_emoji_reactions`,
      args: one,
      error: 'Invalid arguments: note_id is required.'
    }
  ]
}

for (const parent of parents) runTable(parent.toolset, casesOf(parent))
