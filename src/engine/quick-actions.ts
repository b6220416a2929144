import type { TObject, TSchema } from 'typebox'
import { PolicyProblem } from '../results/problem.ts'
import type { Arguments } from './checks.ts'

/*
 * Quick actions: lines such as `/merge` that a forge carries out when it stores a note or a description. They do what
 * other tools do, and more, so where the operator limits those the lines are refused.
 */

/**
 * Refuses a text that the forge would act on.
 * @param argument its name, for the message @param texts how many of a call are looked at; default one
 * @throws PolicyProblem
 */
export type TextRule = (argument: string, text: string, texts?: number) => void

export const anyText: TextRule = () => undefined

export const noQuickActions: TextRule = (argument, text, texts = 1) => {
  const line = quickActionIn(text, Math.floor(MOST_LINES / texts))
  if (line !== undefined)
    throw new PolicyProblem(
      `${argument} has the line ${JSON.stringify(line)}, which the forge would carry out as a quick action, and this server limits what may be done. Leave it out, or put it between two lines of three backticks.`,
      `${argument} has a line that the forge would carry out as a quick action.`
    )
}

/** Lines of a call's texts among which code blocks are looked for: all of them are looked at in one go. */
const MOST_LINES = 20_000
/** Characters of a command that are told. */
const MAX_SHOWN = 60

/**
 * Which commands there are differs from forge to forge, so it is every word; a path such as /usr/bin is none. Blanks
 * end where the line does: with all that `^` takes for the beginning of one, they would be looked through from each of
 * them. Letters are those of Unicode in any case, as they are to a forge: the sign of Kelvin is a k to it.
 */
const command = /(?<![^\n\r\u2028\u2029])[^\S\n\r\u2028\u2029]*(\/[a-z_]\w*)(?!\S)/iu
/** The same where carriage returns are dropped, wherever they stand. */
const commandWithin = /(?<![^\n\u2028\u2029])[^\S\n\u2028\u2029]*(\/\r*[a-z_][\w\r]*)(?!\S)/iu
const lineEnd = /\r\n?|[\n\u2028\u2029]/
/** What else Unicode calls the end of a line. */
const otherEnds = /[\u2028\u2029]/g

/**
 * The first line that a forge may take for a quick action, without its arguments.
 *
 * GitLab drops every carriage return, then takes lines outside of code blocks, and outside of other blocks in ways that
 * differ between its versions; its Markdown takes a lone carriage return for the end of a line. Code blocks are
 * therefore left out only where nothing in the text can be read in two ways, and nothing else ever is. The text itself
 * is looked at first: to make another of one with a million line ends would hold up all others.
 * @param most lines among which code blocks are looked for
 */
export function quickActionIn(text: string, most = MOST_LINES): string | undefined {
  if (!text.includes('/')) return undefined
  const found = (text.includes('\r') ? commandWithin.exec(text) : null) ?? command.exec(text)
  if (found === null) return undefined
  if (text.includes('```') && text.split(lineEnd, most).length < most) return outsideBlocks(text)
  return found[1]!.slice(0, MAX_SHOWN).replaceAll('\r', '')
}

function outsideBlocks(text: string): string | undefined {
  const plain = text.replace(otherEnds, '\n')
  const readings = text.includes('\r') ? [plain.replaceAll('\r', ''), plain.replace(/\r\n?/g, '\n')] : [plain]
  for (const reading of readings) {
    const found = command.exec(outsideCode(reading))
    if (found !== null) return found[1]!.slice(0, MAX_SHOWN)
  }
  return undefined
}

const opening = /^```[\w+#.-]*$/
const closing = /^```$/
const fence = /^\s*```/
/** What may hold a code block, be one, or make another thing of a fence. */
const disputable = /^\s*(?:<|>>>|~~~|\$\$)|`/
const frontMatter = /^(?:---|\+\+\+|;;;)/

/** A text without its code blocks; all of it where one could be disputed. */
function outsideCode(text: string): string {
  if (frontMatter.test(text)) return text
  const outside: string[] = []
  const lines = text.split('\n')
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
    const texts = marked.flatMap(([name, schema]) => [...textsIn(name, args[name], schema as Property)])
    for (const [name, text] of texts) rule(name, text, texts.length)
  }
}

/** The marked texts of a value, each with the name of its argument. */
function* textsIn(name: string, value: unknown, schema: Property): Generator<readonly [string, string]> {
  if (typeof value === 'string') {
    if (schema.quickActions === true) yield [name, value]
  } else if (Array.isArray(value)) {
    for (const item of value) if (schema.items !== undefined) yield* textsIn(name, item, schema.items)
  } else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(schema.properties ?? {}))
      yield* textsIn(`${name}.${key}`, (value as Record<string, unknown>)[key], part)
}
