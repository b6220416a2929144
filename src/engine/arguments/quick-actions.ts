import { PolicyProblem } from '../../results/problem.ts'
import { type ArgumentSchema, argumentsOf } from './argument-flags.ts'
import type { Arguments } from './values.ts'

/*
 * Quick actions are lines such as `/merge` that a forge carries out when it stores a note or a description. They do
 * what other tools do, and more, so they are refused if the operator limits those tools.
 */

/**
 * Refuses a text that the forge would act on.
 * @param argument its name, for the message
 * @param texts how many texts of the call are checked; default one
 * @throws PolicyProblem
 */
export type TextRule = (argument: string, text: string, texts?: number) => void

/** Allows any text. */
export const anyText: TextRule = () => undefined

/** Refuses a text with a quick action. */
export const noQuickActions: TextRule = (argument, text, texts = 1) => {
  const line = quickActionIn(text, Math.floor(MOST_LINES / texts))
  if (line !== undefined)
    throw new PolicyProblem(
      `${argument} has the line ${JSON.stringify(line)}, which the forge would carry out as a quick action, and this server limits what may be done. Leave it out, or put it between two lines of three backticks.`,
      `${argument} has a line that the forge would carry out as a quick action.`
    )
}

/** Most lines of all texts of a call in which code blocks are looked for: they are checked without a break. */
const MOST_LINES = 20_000
/** Most characters of a command that are shown. */
const MAX_SHOWN = 60

/**
 * Matches a line with a command. Commands differ from forge to forge, so any word counts; a path such as /usr/bin does
 * not. Blanks must not go beyond the end of the line: if they included everything after which `^` matches, the search
 * would run through them again from each one. Letters are matched by Unicode case folding, as forges do: the Kelvin
 * sign is a k.
 */
const command = /(?<![^\n\r\u2028\u2029])[^\S\n\r\u2028\u2029]*(\/[a-z_]\w*)(?!\S)/iu
/** The same for a text whose carriage returns are dropped, wherever they are. */
const commandWithin = /(?<![^\n\u2028\u2029])[^\S\n\u2028\u2029]*(\/\r*[a-z_][\w\r]*)(?!\S)/iu
const lineEnd = /\r\n?|[\n\u2028\u2029]/
/** Further line ends in Unicode. */
const otherEnds = /[\u2028\u2029]/g

/**
 * Finds the first line that a forge may take for a quick action.
 *
 * GitLab drops all carriage returns, then reads the lines outside of code blocks, and outside of other blocks in ways
 * that differ between its versions; its Markdown takes a lone carriage return for a line end. Code blocks are therefore
 * skipped only if nothing in the text is ambiguous, and other blocks are never skipped. The original text is checked
 * first: to build another one from a million line ends would block all other calls.
 * @param most lines in which code blocks are looked for
 * @returns the command without its arguments; undefined if there is none
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
/** Lines that may contain or be a code block, or change the meaning of a fence. */
const disputable = /^\s*(?:<|>>>|~~~|\$\$)|`/
const frontMatter = /^(?:---|\+\+\+|;;;)/

/** A text without its code blocks; the whole text if any block is ambiguous. */
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

/** The line of the fence that ends a block; undefined if there is none, or if it is not a plain one. */
function endOfBlock(lines: readonly string[], start: number): number | undefined {
  let end = start + 1
  while (end < lines.length && !fence.test(lines[end]!)) end++
  // For an empty block, some versions take the closing fence for text, and continue to the next fence.
  return end > start + 1 && closing.test(lines[end] ?? '') ? end : undefined
}

/** Whether an argument is text in which a forge looks for quick actions, or contains such text. */
export function takesQuickActions({ quickActions, items, properties }: ArgumentSchema): boolean {
  return (
    quickActions === true ||
    (items !== undefined && takesQuickActions(items)) ||
    Object.values(properties ?? {}).some(takesQuickActions)
  )
}

type MarkedTexts = readonly (readonly [name: string, text: string])[]

/**
 * Prepares the search for all such texts of a call, each with the name of its argument; made once for each tool.
 * @returns undefined for a tool without any
 */
export function markedTexts(input: ArgumentSchema): ((args: Arguments) => MarkedTexts) | undefined {
  const marked = Object.entries(argumentsOf(input)).filter(([, schema]) => takesQuickActions(schema))
  if (marked.length === 0) return undefined
  return args => marked.flatMap(([name, schema]) => [...textsIn(name, args[name], schema)])
}

/** Prepares a check of all such texts of a call with a rule; made once for each tool. */
export function textCheck(input: ArgumentSchema): (args: Arguments, rule: TextRule) => void {
  const textsOf = markedTexts(input)
  return (args, rule) => {
    const texts = textsOf?.(args) ?? []
    for (const [name, text] of texts) rule(name, text, texts.length)
  }
}

/** The marked texts in a value, each with the name of its argument. */
function* textsIn(
  name: string,
  value: unknown,
  schema: ArgumentSchema
): Generator<readonly [string, string]> {
  if (typeof value === 'string') {
    if (schema.quickActions === true) yield [name, value]
  } else if (Array.isArray(value)) {
    for (const item of value) if (schema.items !== undefined) yield* textsIn(name, item, schema.items)
  } else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(schema.properties ?? {}))
      yield* textsIn(`${name}.${key}`, (value as Record<string, unknown>)[key], part)
}
