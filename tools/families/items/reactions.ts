import { type TProperties, Type } from 'typebox'
import { filled, optional, text, wholeList } from '../../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../../src/engine/rows/row.ts'

/*
 * Emoji reactions, the same for merge requests and issues. The forge keeps them on the item itself and on its notes.
 * Replies in threads are ordinary notes there, so discussion_id is not needed.
 */

/** The names of emoji that models often give as characters. */
const emojiNames: Readonly<Record<string, string>> = {
  '👍': 'thumbsup',
  '👎': 'thumbsdown',
  '❤': 'heart',
  '🎉': 'tada',
  '🚀': 'rocket',
  '👀': 'eyes',
  '😄': 'smile',
  '😕': 'confused',
  '✅': 'white_check_mark',
  '❌': 'x',
  '🙏': 'pray',
  '🔥': 'fire',
  '💯': '100',
  '👏': 'clap'
}

/** The name of an emoji that is given in colons or as a character. */
const emojiName = (name: string): string =>
  emojiNames[name.replace('\ufe0f', '')] ?? name.replace(/^:(.+):$/, '$1')

/** The item or note that has the reactions. */
export interface Parent {
  /** The noun in titles, by which these tools differ: `MR`, `issue note`. */
  readonly noun: string
  /** The arguments that identify it: project_id and the iid, for a note also note_id. */
  readonly fields: TProperties
  /** Template of its path at the forge. */
  readonly path: string
}

/** The schema of a tool. The tools for the item itself tell a caller who gives note_id which tool is for comments. */
const inputOf = (tool: string, fields: TProperties, options: Partial<typeof wholeList> = {}) =>
  'note_id' in fields
    ? Type.Object(fields, options)
    : Type.Object(fields, {
        ...options,
        instead: { note_id: `${tool.replace('_emoji_', '_note_emoji_')} is for a comment` }
      })

/** @param tool the tool's name */
export const listReactions = (tool: string, { noun, fields, path }: Parent): ToolRow =>
  rest({
    name: tool,
    class: 'read',
    record: 'reaction',
    title: capital(`${noun} reactions`),
    summary: 'List emoji.',
    input: inputOf(tool, fields, wholeList),
    request: `GET ${path}/award_emoji`,
    local: ['discussion_id'],
    whole: {}
  })

/** @param tool the tool's name */
export const createReaction = (tool: string, { noun, fields, path }: Parent): ToolRow =>
  rest({
    name: tool,
    class: 'write',
    record: 'reaction',
    title: `React to ${noun}`,
    summary: 'Add an emoji.',
    input: inputOf(tool, { ...fields, name: { ...text('Like thumbsup'), ...filled } }),
    request: `POST ${path}/award_emoji`,
    adapt: ({ name, ...args }) => ({ ...args, name: emojiName(String(name)) }),
    local: ['discussion_id'],
    advice: {
      404: 'Check the ids and the emoji name; 404 also means that you gave this reaction already.'
    }
  })

/** @param tool the tool's name */
export const deleteReaction = (tool: string, { noun, fields, path }: Parent): ToolRow =>
  rest({
    name: tool,
    class: 'destructive',
    title: `Remove ${noun} reaction`,
    summary: 'Take it back.',
    input: inputOf(tool, { ...fields, award_id: text() }),
    request: `DELETE ${path}/award_emoji/{award_id}`,
    local: ['discussion_id'],
    subject: { read: `GET ${path}/award_emoji/{award_id}`, field: 'name', noun: 'reaction' },
    undo: 'It can be given again.',
    done: 'The reaction is removed.',
    advice: { 401: 'Only who gave a reaction may remove it, and the token must be valid.' }
  })

/** The notes of a parent, as parents of reactions themselves. */
export const notesOf = ({ noun, fields, path }: Parent): Parent => ({
  noun: `${noun} note`,
  fields: { ...fields, note_id: text(), discussion_id: optional(text()) },
  path: `${path}/notes/{note_id}`
})

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)
