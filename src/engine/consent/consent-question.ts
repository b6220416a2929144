import { isRecord } from '../../results/is-record.ts'
import { PolicyProblem } from '../../results/problem.ts'
import { shortened, startOf } from '../../results/shortened.ts'
import { quoted } from '../../results/visible.ts'
import { type ArgumentSchema, argumentsOf } from '../arguments/argument-flags.ts'
import { withoutSecretValues } from '../arguments/secret-arguments.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolRow } from '../rows/row.ts'
import { type ClientReply, form, type Question } from './question.ts'

/** The one question of a confirmation, by name. */
export const QUESTION = 'confirm'

/**
 * Most characters of a name, a value and a list item that are shown to a person: a form is not the place to read more.
 */
const MAX_NAME = 200
const MAX_VALUE = 100
const MAX_ITEM = 300
/**
 * Fewest characters that are shown of each value of an item, however many values it has: enough for a number or a word.
 */
const MIN_VALUE = 24
/** Above this many items, each is shortened; if there are too many even for that, nobody is asked. */
const MANY_ITEMS = 50
const MAX_SHORT_ITEM = 160
const MAX_ITEMS = 100

/** Arguments that appear elsewhere in the question, or are only for the server. */
const besides = new Set(['project_id', 'group_id', 'confirm'])

/**
 * Prepares the question: what the call will do, to which thing, where, and whether it can be undone. Text of callers
 * and forges is quoted.
 */
export function consentQuestion(row: ToolRow) {
  const agree = {
    type: 'boolean',
    title: row.title,
    description: 'Yes: it is done. No: everything stays as it is.'
  }
  const schema = { type: 'object', properties: { agree }, required: ['agree'] }
  const mask = withoutSecretValues(row.input)
  return (args: Arguments, webUrl: string, subject: string | undefined): Question => {
    const what = subject === undefined ? row.title : `${row.title} ${shown(subject, MAX_NAME)}`
    const lines = [`${what}?`, `Where: ${placeOf(args)}${webUrl}`, ...argumentLines(mask(args), row)]
    if (row.class === 'destructive') lines.push(row.undo ?? 'This cannot be undone.')
    return form(lines.join('\n'), schema)
  }
}

/** The reply that means yes. */
export const yes: ClientReply = { action: 'accept', content: { agree: true } }

/**
 * Whether a reply tells what a person did with the form. A client that omits the flag may not have shown a form at all.
 */
export const isOfPerson = (reply: ClientReply): boolean =>
  reply.action === 'decline' || reply.action === 'cancel' || typeof choiceIn(reply) === 'boolean'

/** Whether a reply is a person's yes: the form was accepted with `agree` set to true. */
export const isAgreed = (reply: ClientReply): boolean => choiceIn(reply) === true

const choiceIn = ({ action, content }: ClientReply): unknown =>
  action === 'accept' && isRecord(content) ? content.agree : undefined

function placeOf({ project_id: project, group_id: group }: Arguments): string {
  if (project !== undefined) return `project ${shown(project, MAX_NAME)} at `
  return group === undefined ? '' : `group ${shown(group, MAX_NAME)} at `
}

/**
 * The arguments of the call, by the same names as in the log. All of them are shown: otherwise callers could choose
 * what stays hidden.
 */
function argumentLines(args: Arguments, { input, name }: ToolRow): string[] {
  const properties = argumentsOf(input)
  const given = wordsFirst(args, properties).filter(([name]) => !besides.has(name))
  return [`Tool: ${name}`, ...given.flatMap(([name, value]) => linesOf(name, value, properties[name] ?? {}))]
}

/** Sorts by the order of the schema, with short values before long texts and lists. */
function wordsFirst(record: Readonly<Record<string, unknown>>, properties: object): [string, unknown][] {
  const names = new Set([...Object.keys(properties), ...Object.keys(record)])
  const given = [...names]
    .map((name): [string, unknown] => [name, record[name]])
    .filter(([, value]) => value !== undefined)
  return [...given.filter(([, value]) => isWord(value)), ...given.filter(([, value]) => !isWord(value))]
}

const isWord = (value: unknown): boolean =>
  typeof value === 'string' ? value.length <= MAX_VALUE : typeof value !== 'object' || value === null

/**
 * @throws PolicyProblem if there are more items than a person can read: nobody can agree to something that is not shown
 */
function linesOf(name: string, value: unknown, { items = {}, properties }: ArgumentSchema): string[] {
  if (!Array.isArray(value)) return [`${name}: ${itemOf(value, properties, MAX_ITEM)}`]
  if (value.length > MAX_ITEMS)
    throw new PolicyProblem(
      `${name} has ${value.length} items, and a person, who has to agree to this call first, is shown ${MAX_ITEMS} at most. Nothing was done: make smaller calls.`
    )
  const count = `${name}: ${value.length} ${value.length === 1 ? 'item' : 'items'}`
  const room = value.length > MANY_ITEMS ? MAX_SHORT_ITEM : MAX_ITEM
  const shown = value.map(item => itemOf(item, items.properties, room))
  return value.every(isWord) ? [`${count} ${shown.join(', ')}`] : [count, ...shown.map(item => `- ${item}`)]
}

/**
 * An item with the name of each value. Each value has its own share of the room, so that none takes the room of the
 * next.
 */
function itemOf(value: unknown, properties: object = {}, room: number): string {
  if (!isRecord(value)) return shown(value, MAX_VALUE)
  const parts = wordsFirst(value, properties).map(
    ([name, part]) => [`${name} `, shown(part, MAX_VALUE)] as const
  )
  const left = parts.reduce((left, [name]) => left - name.length - ', '.length, room)
  const share = shareOf(
    parts.map(([, text]) => text.length),
    left
  )
  return parts.map(([name, text]) => name + cut(text, share)).join(', ')
}

/**
 * Most characters that each of several texts may have so that all fit. Room that short texts leave is given to longer
 * ones.
 */
function shareOf(lengths: readonly number[], room: number): number {
  let left = room
  for (const [at, length] of lengths.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (lengths.length - at))
    if (length > share) return Math.max(share, MIN_VALUE)
    left -= length
  }
  return room
}

function shown(value: unknown, max: number): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const words = typeof value === 'string' ? value : JSON.stringify(value)
  // Only as much as fits is processed; otherwise the texts of a hundred items would delay all other calls.
  return cut(quoted(shortened(words, max)), max)
}

/** Shortens a quoted text to fit: escaping may have made it longer. */
const cut = (quotes: string, max: number): string =>
  quotes.length > max ? `${startOf(quotes, max - 2)}…"` : quotes
