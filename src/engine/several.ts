import { leavesOpen } from '../results/failure.ts'
import { isRecord } from '../results/is-record.ts'
import { CallProblem, PolicyProblem } from '../results/problem.ts'
import { quotedName } from '../results/visible.ts'
import type { OwnArguments } from './arguments/values.ts'
import { firstTwice } from './first-twice.ts'
import { sideBySide } from './requests/side-by-side.ts'
import type { SeveralRow } from './rows/row.ts'
import { severalOf } from './rows/several.ts'
import type { InnerTool, Runner } from './runner.ts'
import { unlessProblem } from './web-urls/reader.ts'
import { thingsStep, type WebUrlContext } from './web-urls/things.ts'

/** Most calls that run at once. */
const WIDTH = 4

/**
 * Makes one tool's call for each of several things, a few at a time. Each is read and checked as a call of its own. If
 * one fails, the others continue, and its problem is returned in its place. Calls that have not begun when the policy
 * changes are refused.
 * @param tool the tool that is called
 * @throws CallProblem if a thing is given twice, or if nothing was done; also faults of this service
 */
export function severalRunner(row: SeveralRow, tool: InnerTool): Runner {
  const { argument, by, shared, shown } = row
  return async (args, context) => {
    const items = severalOf(args[argument])
    const numbers = items.map(item => String(item[by]))
    const twice = firstTwice(numbers)
    if (twice !== undefined)
      throw new CallProblem(`${argument} has ${by} ${quotedName(twice)} twice: say in one what is to change.`)
    const common = Object.fromEntries(shared.map(name => [name, args[name]]))
    const problems = new Said()
    const errors = new Map<number, unknown>()
    const notes = new Said()
    const placeOf = (at: number) => `${argument}.${at} (${numbers[at]!.replace(/^(?=\d)/, '#').slice(0, 20)})`
    const records = await sideBySide(items, WIDTH, async (item, at): Promise<unknown> => {
      // Otherwise all calls that are refused before they send anything would be read in one turn of the event loop.
      await context.nextPart()
      try {
        context.checkStill()
        const { value, notices = [] } = await tool.run({ ...common, ...item }, context)
        for (const notice of notices) notes.add(at, notice)
        return shown !== undefined && isRecord(value) ? shown(value, item) : value
      } catch (error) {
        const problem = tool.explain(error, context.forge.wrote, name => context.mayRun(name))
        if (problem === undefined) throw error
        problems.add(at, withoutCount(problem))
        errors.set(at, error)
        return { [by]: numbers[at], problem }
      }
    })
    const failed = counts(problems, items.length)
    const cause = firstOf(errors)
    if (problems.size === items.length)
      throw new CallProblem([...failed, ...problems.sentences(placeOf)].join(' '), { cause })
    return { value: records, failed: cause, notices: [...failed, ...notes.sentences(placeOf)] }
  }
}

/** The error for the log line of the call: that of the policy if it refused one of them, otherwise the first. */
function firstOf(errors: ReadonlyMap<number, unknown>): unknown {
  const inOrder = [...errors].sort(([a], [b]) => a - b).map(([, error]) => error)
  return inOrder.find(error => error instanceof PolicyProblem) ?? inOrder[0]
}

/**
 * Prepares the reading of addresses in each of several things. They are replaced by numbers before the things are
 * compared, shown to a person or reported. Addresses that cannot be read are left to the call for that thing.
 */
export function eachThing({ argument, of, shared }: SeveralRow) {
  const read = thingsStep(of)
  return (args: OwnArguments, asked: WebUrlContext): void => {
    const common = Object.fromEntries(shared.map(name => [name, args[name]]))
    const told = { said: [], unused: [] }
    args[argument] = severalOf(args[argument]).map(item => {
      const reading = () => read({ ...common, ...item }, asked, told)
      const found = unlessProblem(reading) as typeof item | undefined
      return found === undefined
        ? item
        : Object.fromEntries(Object.entries(found).filter(([name]) => !shared.includes(name)))
    })
  }
}

/** Says for how many nothing was done, and separately for how many the outcome is unknown. */
function counts(problems: Said, all: number): readonly string[] {
  const open = problems.sizeOf(leavesOpen)
  const not = problems.size - open
  if (not === all) return ['Nothing was done.']
  return [
    not > 0 ? `${not} of ${all} were not done.` : undefined,
    open > 0 ? `${open} of ${all} may or may not have been done.` : undefined
  ].filter(said => said !== undefined)
}

/**
 * A problem without "Nothing was done", which the counts say already: in a problem of one thing it would seem to refer
 * to the whole call.
 */
const withoutCount = (problem: string): string =>
  problem.replace(/(?<=^|[.?!] )Nothing was done\.(?: |$)/, '').trimEnd()

/** Sentences about some of several things, each sentence once, with all things that it is about. */
class Said {
  readonly #places = new Map<string, number[]>()

  add(at: number, sentence: string): void {
    const places = this.#places.get(sentence) ?? []
    this.#places.set(sentence, [...places, at])
  }

  /** The number of problems or notes, counted once for each thing. */
  get size(): number {
    return this.sizeOf(() => true)
  }

  sizeOf(these: (sentence: string) => boolean): number {
    return [...this.#places].reduce(
      (sum, [sentence, places]) => sum + (these(sentence) ? places.length : 0),
      0
    )
  }

  sentences(placeOf: (at: number) => string): readonly string[] {
    return [...this.#places]
      .map(([sentence, places]) => [sentence, places.toSorted((a, b) => a - b)] as const)
      .sort(([, [a = 0]], [, [b = 0]]) => a - b)
      .map(([sentence, places]) => `${places.map(placeOf).join(', ')}: ${sentence}`)
  }
}
