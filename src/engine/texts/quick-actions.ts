import { PolicyProblem } from '../../results/problem.ts'
import type { ArgumentSchema } from '../arguments/argument-flags.ts'
import { textsIn } from '../arguments/texts-in.ts'
import type { Arguments } from '../arguments/values.ts'

/*
 * Quick actions are lines such as `/merge` that a forge executes when it stores a note or a description. They do what
 * other tools do, and more, so they are refused if the operator limits those tools.
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
  const line = quickActionIn(text, Math.floor(MAX_LINES / texts))
  if (line !== undefined)
    throw new PolicyProblem(
      `${argument} has the line ${JSON.stringify(line)}, which the forge would carry out as a quick action, and this server limits what may be done. Leave it out, or put it between two lines of three backticks.`,
      `${argument} has a line that the forge would carry out as a quick action.`
    )
}

/** Most lines of all texts of a call that are searched for code blocks: the check runs without a break. */
const MAX_LINES = 20_000
/** Most characters of a command that are shown. */
const MAX_SHOWN = 60

/**
 * Matches a line with a command. Commands differ from forge to forge, so any word counts; a path such as /usr/bin does
 * not. Blanks must not go beyond the end of the line: if they included everything after which `^` matches, the search
 * would run through them again from each one. Letters are matched by Unicode case folding, as forges do: the Kelvin
 * sign is a k.
 */
const command = /(?<![^\n\r\u2028\u2029])[^\S\n\r\u2028\u2029]*(\/[a-z_]\w*)(?!\S)/iu
/** The same for a text whose carriage returns are removed, wherever they are. */
const commandWithin = /(?<![^\n\u2028\u2029])[^\S\n\u2028\u2029]*(\/\r*[a-z_][\w\r]*)(?!\S)/iu
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
export function quickActionIn(text: string, most = MAX_LINES): string | undefined {
  if (!text.includes('/')) return undefined
  const found = (text.includes('\r') ? commandWithin.exec(text) : null) ?? command.exec(text)
  if (found === null) return undefined
  if (text.includes('```') && hasFewerLines(text, most)) return outsideBlocks(text)
  return found[1]!.slice(0, MAX_SHOWN).replaceAll('\r', '')
}

function hasFewerLines(text: string, most: number): boolean {
  let lines = 1
  for (let at = 0; at < text.length && lines < most; at++) if (endsLine(text, at)) lines++
  return lines < most
}

function endsLine(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code === CARRIAGE_RETURN) return text.charCodeAt(at + 1) !== LINE_FEED
  return code === LINE_FEED || code === LINE_SEPARATOR || code === PARAGRAPH_SEPARATOR
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const LINE_SEPARATOR = 0x2028
const PARAGRAPH_SEPARATOR = 0x2029

function outsideBlocks(text: string): string | undefined {
  const plain = text.replace(otherEnds, '\n')
  const readings = text.includes('\r') ? [plain.replace(/\r/g, ''), plain.replace(/\r\n?/g, '\n')] : [plain]
  for (const reading of readings) {
    const found = outsideCode(reading)
    if (found !== undefined) return found
  }
  return undefined
}

/*
 * The functions below search a text whose lines all end with a line feed, by positions in it. Strings of its lines
 * would be thousands for each call, and garbage collection blocks all other calls.
 */

const frontMatter = /^(?:---|\+\+\+|;;;)/
/** Matches up to a character that may begin a command or a block other than code, or up to a backtick. */
const notable = /^[^\S\n]*(?:\/|<|>>>|~~~|\$\$)|`/gm
const action = /\/[a-z_]\w*(?!\S)/iuy
const opening = /^```[\w+#.-]*$/my
const closing = /^```$/my
const fence = /^[^\S\n]*(?=```)/gm

/** The first command outside of code blocks; in the whole text if any block is ambiguous. */
function outsideCode(text: string): string | undefined {
  if (frontMatter.test(text)) return anywhere(text)
  let found: string | undefined
  for (let at = endOf(notable, text, 0); at !== undefined; at = endOf(notable, text, at)) {
    const start = at - 1
    if (text[start] === '/') {
      const end = found === undefined ? endOf(action, text, start) : undefined
      if (end !== undefined) found = text.slice(start, Math.min(end, start + MAX_SHOWN))
    } else {
      const end = endOfBlock(text, start)
      if (end === undefined) return anywhere(text)
      at = end
    }
  }
  return found
}

const anywhere = (text: string): string | undefined => command.exec(text)?.[1]?.slice(0, MAX_SHOWN)

/** The end of a block that begins at an index; undefined if there is none, or if its fences are not plain ones. */
function endOfBlock(text: string, start: number): number | undefined {
  const opened = endOf(opening, text, start)
  if (opened === undefined) return undefined
  const end = endOf(fence, text, opened + 1)
  // For an empty block, some versions take the closing fence for text, and continue to the next fence.
  return end === undefined || end === opened + 1 ? undefined : endOf(closing, text, end)
}

/** The end of the next match at or after a position; for a sticky expression, of the match at that position. */
function endOf(expression: RegExp, text: string, from: number): number | undefined {
  expression.lastIndex = from
  return expression.test(text) ? expression.lastIndex : undefined
}

/**
 * Prepares the search for all texts of a call that a forge searches for quick actions.
 * @returns undefined for a tool without any
 */
export const markedTexts = (input: ArgumentSchema) =>
  textsIn(input, ({ quickActions }) => quickActions === true)

/** Prepares a check of all such texts of a call with a rule; made once for each tool. */
export function textCheck(input: ArgumentSchema): (args: Arguments, rule: TextRule) => void {
  const textsOf = markedTexts(input)
  return (args, rule) => {
    const texts = textsOf?.(args) ?? []
    for (const [name, text] of texts) rule(name, text, texts.length)
  }
}
