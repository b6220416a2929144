import { type SeveralRow, severalOf } from '../catalog/several.ts'
import { explainFailure } from '../results/failure.ts'
import { isRecord } from './is-record.ts'
import { CallProblem } from './problem.ts'
import type { Runner } from './runners.ts'
import { sideBySide } from './side-by-side.ts'
import type { Tool } from './tool.ts'

/** Calls under way at once. */
const WIDTH = 4

/**
 * Makes one tool's call for each of several things, a few at a time, each read and checked as that call by itself.
 * One that fails takes no other with it: what stands in its place is the problem.
 * @param tool the one that is called
 * @throws CallProblem where a thing is there twice, and where none was done; what is a fault of this service
 */
export function severalRunner(row: SeveralRow, tool: Tool): Runner {
  const { argument, by, shared, news } = row
  return async (args, context) => {
    const items = severalOf(args[argument])
    const numbers = items.map(item => String(item[by]))
    const twice = numbers.find((number, at) => numbers.indexOf(number) !== at)
    if (twice !== undefined)
      throw new CallProblem(
        `${argument} has ${by} ${JSON.stringify(twice)} twice: say in one what is to change.`
      )
    const common = Object.fromEntries(shared.map(name => [name, args[name]]))
    const problems: string[] = []
    const records = await sideBySide(items, WIDTH, async (item, at): Promise<unknown> => {
      try {
        const { value } = await tool.run({ ...common, ...item }, context)
        return news !== undefined && isRecord(value) ? news(value, item) : value
      } catch (error) {
        const problem = explainFailure(error, context.forge.wrote, tool.advice)
        if (problem === undefined) throw error
        problems.push(problem)
        return { [by]: numbers[at], problem }
      }
    })
    if (problems.length === items.length)
      throw new CallProblem(`Nothing was done. ${[...new Set(problems)].join(' ')}`)
    const notices = problems.length === 0 ? [] : [`${problems.length} of ${items.length} were not done.`]
    return { value: records, notices }
  }
}
