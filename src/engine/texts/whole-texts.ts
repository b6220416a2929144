import { fewerLines } from '../../results/fewer-lines.ts'
import { ArgumentError } from '../../results/problem.ts'
import { quotedName } from '../../results/visible.ts'
import { changes } from '../arguments/emptied.ts'
import { textsIn } from '../arguments/texts-in.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { fitting, parseTemplates, requestOf } from '../requests/template.ts'
import type { RestRow, ToolRow } from '../rows/row.ts'
import {
  type Elision,
  type ElisionBudget,
  elisionBudget,
  elisionsIn,
  firstNew,
  nothingElse
} from './elisions.ts'
import { mayBeCut, partOf } from './part-of.ts'
import { comparable } from './stored-texts.ts'
import { mayBeWindow } from './window-of.ts'
import { howToHaveAll, whatShows } from './written-texts.ts'

/* Texts that replace others as a whole, and the content that would be lost by that. */

/**
 * Prepares the refusal of changed texts that would lose stored content: they contain a line that stands for it, or
 * consist only of the part that a result showed. The stored text is read only if the new text may be of that kind. A
 * tool that creates loses nothing, and files are checked where it is known what happens to each.
 * @param isTool whether a tool of that name exists
 * @returns undefined for a tool that changes no such text, or that calls another tool for each of several things;
 *   otherwise a step that throws ArgumentError, and returns remarks for after the call
 */
export function wholeStep(
  row: ToolRow,
  isTool: (name: string) => boolean
): ((args: Arguments, context: ToolContext) => Promise<readonly string[]> | undefined) | undefined {
  const texts =
    row.kind !== 'several' && changes(row)
      ? textsIn(row.input, ({ quickActions, quotesStored }) => quickActions !== undefined && !quotesStored)
      : undefined
  if (texts === undefined) return undefined
  const step = new WholeTexts(row, isTool, texts)
  return (args, context) => step.refuseLoss(args, context)
}

interface Doubtful {
  readonly place: string
  readonly text: string
  readonly elisions: readonly Elision[]
  readonly shownByLines: boolean
  readonly mayBePart: boolean
}

type TextsOf = NonNullable<ReturnType<typeof textsIn>>

/** The texts of a tool's arguments that replace others as a whole. */
class WholeTexts {
  readonly #texts: TextsOf
  readonly #shownByLines: TextsOf | undefined
  readonly #shows: string | undefined
  readonly #readStored:
    | ((args: never, context: ToolContext) => Promise<readonly string[] | undefined>)
    | undefined
  readonly #howToHaveAll: string

  constructor(row: ToolRow, isTool: (name: string) => boolean, texts: TextsOf) {
    this.#texts = texts
    this.#shownByLines = textsIn(row.input, ({ shownByLines }) => shownByLines === true)
    this.#shows = whatShows(row, isTool)
    this.#readStored = row.kind === 'rest' ? reader(row) : row.kind === 'graphql' ? row.stored : undefined
    this.#howToHaveAll = howToHaveAll(row, isTool)
  }

  /** As the step of wholeStep. */
  refuseLoss(args: Arguments, context: ToolContext): Promise<readonly string[]> | undefined {
    const budget = elisionBudget()
    const shownByLines = new Set(this.#shownByLines?.(args).map(([place]) => place))
    const doubtful = this.#texts(args)
      .map(([place, text]) => ({
        place,
        text,
        elisions: allElisions(text, true, budget),
        shownByLines: shownByLines.has(place),
        mayBePart: mayBePart(text, shownByLines.has(place), context)
      }))
      .filter(({ elisions, mayBePart }) => elisions.length > 0 || mayBePart)
    return doubtful.length === 0 ? undefined : this.#check(doubtful, budget, args, context)
  }

  async #check(
    doubtful: readonly Doubtful[],
    budget: ElisionBudget,
    args: Arguments,
    context: ToolContext
  ): Promise<readonly string[]> {
    const read = await context.lookups
      .within(async () => this.#readStored?.(args as never, context))
      .catch(() => undefined)
    const stored = read && comparable(read)
    for (const each of doubtful) this.#refuse(each, stored, budget, context)
    return doubtful
      .filter(({ shownByLines }) => shownByLines)
      .map(({ place, text }) => fewerLines(place, longest(stored), text, this.#shows))
      .filter(said => said !== undefined)
  }

  /**
   * Refuses a text that would lose something of the stored ones, because it has a line that only stands for a part of
   * them, or is a part itself.
   * @param stored undefined if they could not be read
   * @throws ArgumentError
   */
  #refuse(
    { place, text, elisions, mayBePart }: Doubtful,
    stored: readonly string[] | undefined,
    budget: ElisionBudget,
    context: ToolContext
  ): void {
    const line = firstNew(elisions, stored, true, budget)
    if (line !== undefined)
      throw new ArgumentError(
        place,
        `has the line ${quotedName(line)}, which would be all that stays of what it stands for: the whole text is replaced. Nothing was done. ${this.#howToHaveAll}Where the line is meant, add a word to it`
      )
    const loss = mayBePart ? lossOf(text, stored ?? [], context) : undefined
    if (loss !== undefined)
      throw new ArgumentError(
        place,
        `${loss.lost}, which would be lost. Nothing was done. ${this.#howToHaveAll}Where they are to go, ${loss.meant}`
      )
  }
}

/** The text of a record that is shown by lines: the longest. */
const longest = (texts: readonly string[] = []): string =>
  texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '')

/** All lines that stand for omitted text, in a text that replaces another; or the text itself if it is nothing else. */
export function allElisions(text: string, isMarkdown: boolean, budget: ElisionBudget): readonly Elision[] {
  const all = nothingElse(text)
  return all === undefined ? [...elisionsIn(text, isMarkdown, budget)] : [all]
}

/**
 * Whether a text may be the part of a longer one that a result showed, so that reading the stored text is worthwhile.
 * @param shownByLines whether a tool shows any range of its lines; otherwise a part has as much as fits into a result
 */
export const mayBePart = (
  text: string,
  shownByLines: boolean,
  { maxChars }: Pick<ToolContext, 'maxChars'>
): boolean => mayBeCut(text, maxChars) || (shownByLines && mayBeWindow(text))

/** The content of a stored text that a part of it leaves out. */
interface Loss {
  /** A clause that follows the name of the text. */
  readonly lost: string
  /** What to do if the loss is intended. */
  readonly meant: string
}

/** The content of the stored texts that a text leaves out; undefined if it is no part of any. */
export function lossOf(
  text: string,
  stored: readonly string[],
  { maxChars }: Pick<ToolContext, 'maxChars'>
): Loss | undefined {
  for (const other of stored) {
    const part = partOf(text, other, maxChars)
    if (part === undefined) continue
    const { first, last, of, isSame } = part
    const after = of - last
    if (first > 1 && after > 0)
      return {
        lost: `is lines ${first} to ${last} of what is stored, without its first ${first - 1} and its last ${after} lines`,
        meant: 'take them off one end first, then off the other'
      }
    return {
      lost:
        after > 0
          ? `is the beginning of what is stored, without its last ${after} lines (read them with start_line ${last + 1})`
          : `is the end of what is stored, without its first ${first - 1} lines (read them with end_line ${first - 1})`,
      meant: isSame ? 'change a word of the rest, too' : 'leave out more first, and add that again'
    }
  }
  return undefined
}

/** Prepares a function that reads the texts of the record which a request changes. */
function reader({ request, choose }: RestRow) {
  const parsed = new Map(
    [request].flat().map(source => [source, parseTemplates(source.replace(/^\w+/, 'GET'))])
  )
  const all = [...parsed.values()].flat()
  return async (args: Arguments, { forge }: ToolContext): Promise<readonly string[] | undefined> => {
    const chosen = choose?.(args)
    const template = fitting(chosen === undefined ? all : parsed.get(chosen)!, args)
    const { value } = await forge.send(requestOf(template, args))
    if (typeof value !== 'object' || value === null) return undefined
    return Object.values(value).filter(field => typeof field === 'string')
  }
}
