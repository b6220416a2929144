import type { TObject, TSchema } from 'typebox'
import { ArgumentError } from '../results/problem.ts'
import type { Arguments } from './checks.ts'

/*
 * Quick actions: lines such as `/merge` that a forge carries out when it stores a note or a description. They do what
 * other tools do, and more, so where the operator limits those the lines are refused.
 */

/** Refuses a text that the forge would act on. @param argument its name, for the message @throws ArgumentError */
export type TextRule = (argument: string, text: string) => void

export const anyText: TextRule = () => undefined

export const noQuickActions: TextRule = (argument, text) => {
  const line = quickActionIn(text)
  if (line !== undefined)
    throw new ArgumentError(
      argument,
      `has the line ${JSON.stringify(line)}, which the forge would carry out as a quick action, and this server limits what may be done. Leave it out, or put it between two lines of three backticks`
    )
}

/**
 * Which commands there are differs from forge to forge, so it is every word; a path such as /usr/bin is none. A line ends
 * with a newline alone: with all that `^` takes for one, blanks would be looked through from each of them.
 */
const command = /(?<![^\n])[^\S\n]*(\/[a-z_]\w*)(?!\S)/i
/** What else Unicode calls the end of a line. */
const otherEnds = /[\u2028\u2029]/g

/**
 * The first line that a forge may take for a quick action, without its arguments.
 *
 * GitLab drops every carriage return, then takes lines outside of code blocks, and outside of other blocks in ways that
 * differ between its versions; its Markdown takes a lone carriage return for the end of a line. Code blocks are
 * therefore left out only where nothing in the text can be read in two ways, and nothing else ever is.
 */
export function quickActionIn(text: string): string | undefined {
  if (!text.includes('/')) return undefined
  const plain = text.replace(otherEnds, '\n')
  const readings = text.includes('\r') ? [plain.replaceAll('\r', ''), plain.replace(/\r\n?/g, '\n')] : [plain]
  for (const reading of readings) {
    const found = command.test(reading) ? command.exec(outsideCode(reading)) : null
    if (found !== null) return found[1]
  }
  return undefined
}

const opening = /^```[\w+#.-]*$/
const closing = /^```$/
const fence = /^\s*```/
/** What may hold a code block, be one, or make another thing of a fence. */
const disputable = /^\s*(?:<|>>>|~~~|\$\$)|`/
const frontMatter = /^(?:---|\+\+\+|;;;)/

/** Lines among which blocks are looked for: a call may have many such texts, all of which are looked at in one go. */
const MOST_LINES = 20_000

/** A text without its code blocks; all of it where one could be disputed. */
function outsideCode(text: string): string {
  if (!text.includes('```') || frontMatter.test(text)) return text
  const outside: string[] = []
  const lines = text.split('\n', MOST_LINES)
  if (lines.length === MOST_LINES) return text
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const end = opening.test(line) ? endOfBlock(lines, at) : at
    if (end === undefined || (end === at && disputable.test(line))) return text
    if (end === at) outside.push(line)
    at = end
  }
  return outside.join('\n')
}

/** The line of the fence that ends a block; undefined where there is none, or it is no plain one. */
function endOfBlock(lines: readonly string[], start: number): number | undefined {
  let end = start + 1
  while (end < lines.length && !fence.test(lines[end]!)) end++
  // Of an empty block some versions take the end for text, and go on to the next fence.
  return end > start + 1 && closing.test(lines[end] ?? '') ? end : undefined
}

interface Property extends TSchema {
  readonly type?: string
  readonly quickActions?: boolean
  readonly items?: Property
  readonly properties?: Readonly<Record<string, Property>>
}

/** Whether an argument is text in which a forge looks for quick actions, or has such text in it. */
export function takesQuickActions(schema: TSchema): boolean {
  const { quickActions, items, properties } = schema as Property
  return (
    quickActions === true ||
    (items !== undefined && takesQuickActions(items)) ||
    Object.values(properties ?? {}).some(takesQuickActions)
  )
}

/** Asks a rule about all such text of a call; made once a tool. */
export function textCheck(input: TObject): (args: Arguments, rule: TextRule) => void {
  const marked = Object.entries(input.properties).filter(([, schema]) => takesQuickActions(schema))
  return (args, rule) => {
    for (const [name, schema] of marked) ask(rule, name, args[name], schema as Property)
  }
}

function ask(rule: TextRule, name: string, value: unknown, schema: Property): void {
  if (typeof value === 'string') {
    if (schema.quickActions === true) rule(name, value)
  } else if (Array.isArray(value)) {
    for (const item of value) if (schema.items !== undefined) ask(rule, name, item, schema.items)
  } else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(schema.properties ?? {}))
      ask(rule, `${name}.${key}`, (value as Record<string, unknown>)[key], part)
}
