import type { ToolRow } from '../catalog/row.ts'
import { isRecord } from '../results/is-record.ts'
import { quoted } from '../results/visible.ts'
import type { Arguments } from './checks.ts'
import { form, type Question, type Reply } from './question.ts'
import { withoutSecretValues } from './secret-arguments.ts'

/** The one question of a confirmation, by name. */
export const QUESTION = 'confirm'

/** Longest name, value and item of a list, and most items, that a person is shown; a form is no place to read more. */
const MAX_NAME = 200
const MAX_VALUE = 100
const MAX_ITEM = 300
const MAX_ITEMS = 50

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

function linesOf(name: string, value: unknown, { items = {}, properties }: Schema): string[] {
  if (!Array.isArray(value)) return [`${name}: ${itemOf(value, properties)}`]
  const count = `${name}: ${value.length} ${value.length === 1 ? 'item' : 'items'}`
  const shown = value.slice(0, MAX_ITEMS).map(item => itemOf(item, items.properties))
  if (value.length > MAX_ITEMS) shown.push(`and ${value.length - MAX_ITEMS} more`)
  return value.every(isWord) ? [`${count} ${shown.join(', ')}`] : [count, ...shown.map(item => `- ${item}`)]
}

function itemOf(value: unknown, properties: object = {}): string {
  if (!isRecord(value)) return shown(value, MAX_VALUE)
  const parts = wordsFirst(value, properties).map(([name, part]) => `${name} ${shown(part, MAX_VALUE)}`)
  return cut(parts.join(', '), MAX_ITEM)
}

function shown(value: unknown, max: number): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return quoted(cut(typeof value === 'string' ? value : JSON.stringify(value), max))
}

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text)
