import type { ToolRow } from '../catalog/row.ts'
import { isRecord } from '../results/is-record.ts'
import { quoted } from '../results/visible.ts'
import type { Arguments } from './checks.ts'
import { form, type Question, type Reply } from './question.ts'
import { withoutSecretValues } from './secret-arguments.ts'

/** The one question of a confirmation, by name. */
export const QUESTION = 'confirm'

/** Longest name, longest value and most arguments that a person is shown; a form is no place to read more. */
const MAX_NAME = 200
const MAX_VALUE = 100
const MAX_SHOWN = 12

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
    const lines = [`${what}?`, `Where: ${placeOf(args)}${webUrl}`, ...argumentLines(mask(args), row.name)]
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

/** The arguments of the call, one a line, by the names that a log has. */
function argumentLines(args: Arguments, tool: string): string[] {
  const given = Object.entries(args).filter(([name, value]) => !besides.has(name) && value !== undefined)
  const lines = given.slice(0, MAX_SHOWN).map(([name, value]) => `${name}: ${shown(value, MAX_VALUE)}`)
  if (given.length > MAX_SHOWN) lines.push(`and ${given.length - MAX_SHOWN} more arguments`)
  return [`Tool: ${tool}`, ...lines]
}

function shown(value: unknown, max: number): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return quoted(text.length > max ? `${text.slice(0, max)}…` : text)
}
