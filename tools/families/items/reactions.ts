import { type TProperties, Type } from 'typebox'
import { filled, optional, text, wholeList } from '../../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../../src/engine/rows/row.ts'

/*
 * Emoji reactions, the same for merge requests and issues. The forge has them on the item itself and on its notes;
 * replies in threads are ordinary notes there, so discussion_id is not needed.
 */

/** The names of emoji that models write as characters. */
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

/** The name of an emoji that is given with colons, or as a character. */
const emojiName = (name: string): string =>
  emojiNames[name.replace('\ufe0f', '')] ?? name.replace(/^:(.+):$/, '$1')

/** What has the reactions. */
export interface Parent {
  /** In titles, which tell these tools apart: `MR`, `issue note`. */
  readonly noun: string
  /** project_id and the iid. */
  readonly fields: TProperties
  /** Template of its path. */
  readonly path: string
}

/** The schema of a tool: who gives a comment to the one for the whole is led to that for comments. */
const inputOf = (tool: string, fields: TProperties, options: Partial<typeof wholeList> = {}) =>
  'note_id' in fields
    ? Type.Object(fields, options)
    : Type.Object(fields, {
        ...options,
        instead: {
          ...options.instead,
          note_id: `${tool.replace('_emoji_', '_note_emoji_')} is for a comment`
        }
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

/** The notes of a parent, which have reactions of their own. */
export const notesOf = ({ noun, fields, path }: Parent): Parent => ({
  noun: `${noun} note`,
  fields: { ...fields, note_id: text(), discussion_id: optional(text()) },
  path: `${path}/notes/{note_id}`
})

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)
