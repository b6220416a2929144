import type { ToolRow } from '../catalog/row.ts'
import { isRecord } from '../results/is-record.ts'
import { PolicyProblem } from '../results/problem.ts'
import { shortened, startOf } from '../results/shortened.ts'
import { quoted } from '../results/visible.ts'
import type { Arguments } from './checks.ts'
import { form, type Question, type Reply } from './question.ts'
import { withoutSecretValues } from './secret-arguments.ts'

/** The one question of a confirmation, by name. */
export const QUESTION = 'confirm'

/** Longest name, value and item of a list that a person is shown; a form is no place to read more. */
const MAX_NAME = 200
const MAX_VALUE = 100
const MAX_ITEM = 300
/** Of an item's value, however many it has: all of a number or a word. */
const MIN_VALUE = 24
/** More items are shown in short, and of a list that has too many for that nobody is asked. */
const MANY_ITEMS = 50
const MAX_SHORT_ITEM = 160
const MAX_ITEMS = 100

/** Said elsewhere in the question, or for the server alone. */
const besides = new Set(['project_id', 'group_id', 'confirm'])

/**
 * Prepares the question: what is to be done to what, where, and whether it can be undone. What callers and forges wrote
 * stands in quotes, as a person would see it anyway.
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

/** The reply that is one. */
export const yes: Reply = { action: 'accept', content: { agree: true } }

/** Whether a reply says what a person did with the form: a client that sends it without its flag may well have shown none. */
export const isOfPerson = (reply: Reply): boolean =>
  reply.action === 'decline' || reply.action === 'cancel' || typeof choiceIn(reply) === 'boolean'

/** Whether a reply is a person's yes: the form was sent, and says so. */
export const isAgreed = (reply: Reply): boolean => choiceIn(reply) === true

const choiceIn = ({ action, content }: Reply): unknown =>
  action === 'accept' && isRecord(content) ? content.agree : undefined

function placeOf({ project_id: project, group_id: group }: Arguments): string {
  if (project !== undefined) return `project ${shown(project, MAX_NAME)} at `
  return group === undefined ? '' : `group ${shown(group, MAX_NAME)} at `
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** The arguments of the call by the names that a log has: all of them, or whoever calls would choose what is not seen. */
function argumentLines(args: Arguments, { input, name }: ToolRow): string[] {
  const { properties = {} } = input as Schema
  const given = wordsFirst(args, properties).filter(([name]) => !besides.has(name))
  return [`Tool: ${name}`, ...given.flatMap(([name, value]) => linesOf(name, value, properties[name] ?? {}))]
}

/** In the order of the schema, and what is read at a glance before long texts and lists. */
function wordsFirst(record: Readonly<Record<string, unknown>>, properties: object): [string, unknown][] {
  const names = new Set([...Object.keys(properties), ...Object.keys(record)])
  const given = [...names]
    .map((name): [string, unknown] => [name, record[name]])
    .filter(([, value]) => value !== undefined)
  return [...given.filter(([, value]) => isWord(value)), ...given.filter(([, value]) => !isWord(value))]
}

const isWord = (value: unknown): boolean =>
  typeof value === 'string' ? value.length <= MAX_VALUE : typeof value !== 'object' || value === null

/** @throws PolicyProblem where there are more items than a person reads: what is not shown is not agreed to */
function linesOf(name: string, value: unknown, { items = {}, properties }: Schema): string[] {
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

/** All that an item has by its name, or one value would take the room of the next. */
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

/** Characters that each of some texts may have for all to have room: what a short one leaves is for the longer ones. */
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
  // Looked at is what there is room for alone, or the texts of a hundred items would hold up all others.
  return cut(quoted(shortened(words, max)), max)
}

/** A text in quotes with as much in them as there is room for: what they hold may be longer in them. */
const cut = (quotes: string, max: number): string =>
  quotes.length > max ? `${startOf(quotes, max - 2)}…"` : quotes
