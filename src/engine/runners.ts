import type { GraphqlRow, RestRow, ToolRow, Whole } from '../catalog/row.ts'
import { isStatus } from '../results/failure.ts'
import { fieldsOf } from '../results/is-record.ts'
import { CallProblem } from '../results/problem.ts'
import type { ToolOutput } from '../results/result.ts'
import type { ToolContext } from './context.ts'
import { fileOutput, wantedOf } from './files/file-output.ts'
import { fileRequest, readFile } from './files/read-file.ts'
import { graphqlRunner } from './graphql.ts'
import { allPages } from './pages.ts'
import { type Planner, planner } from './plan.ts'
import { severalRunner } from './several.ts'
import { placeOf } from './template.ts'
import type { Tool } from './tool.ts'

/** What runs a row once its arguments are read and checked. @throws what the row's requests throw, CallProblem */
export type Runner = (args: Record<string, unknown>, context: ToolContext) => Promise<ToolOutput>

/**
 * Prepares a row's requests once.
 * @param compile makes a tool of a row inside it
 * @throws Error for a row written wrongly
 */
export function runnerOf(row: ToolRow, compile: (row: ToolRow) => Tool): Runner {
  switch (row.kind) {
    case 'rest':
      return restRunner(row)
    case 'graphql':
      return graphqlRunner(row as unknown as GraphqlRow)
    case 'custom':
      return async (args, context) => row.run(args as never, context)
    case 'several':
      return severalRunner(row, compile(row.of))
  }
}

function restRunner(row: RestRow): Runner {
  const plan = planner(row)
  if (row.file !== undefined) return fileRunner(row, plan)
  const send = row.orElse === undefined ? sendOnce(row, plan) : sendOrMake(row, plan)
  return async (args, context) => {
    const values = row.adapt === undefined ? args : await row.adapt({ ...args }, context)
    if (row.whole !== undefined && isAskedWhole(row.whole, args)) {
      const { page: _, per_page: __, ...all } = values
      const { records, notices } = await allPages(context.forge, plan(args, all), row.whole)
      return {
        value: row.shape === undefined ? records : await row.shape(records, args, context, values),
        notices
      }
    }
    const { value, own, headers, added } = await send(args, values, context)
    refuseScalar(row, value)
    // Most rows have none, and to wait for nothing costs what to wait for something does.
    const notice = row.notice && (await row.notice(value, args, context))
    if (isDone(row, value))
      return { value: acknowledged(row, args), own: true, added, notices: [notice].filter(isSaid) }
    const page = headers
    if (row.shape === undefined) return { value, own, added, page, notices: [notice].filter(isSaid) }
    const { records, left } = shapeable(value)
    const shown = await row.shape(records, args, context, values)
    return { value: shown, own, added, page, notices: [notice, left].filter(isSaid) }
  }
}

const isSaid = (notice: string | undefined): notice is string => notice !== undefined

/** Records of one answer that a row's own code looks at: each takes microseconds, and a forge may send any number. */
const MOST_SHAPED = 2_000

/** What of an answer a row's own code is given, and what is said of records that it is not. */
function shapeable(value: unknown): { readonly records: unknown; readonly left?: string } {
  if (!Array.isArray(value) || value.length <= MOST_SHAPED) return { records: value }
  const left = `The answer has ${value.length} records: these are of the first ${MOST_SHAPED}.`
  return { records: value.slice(0, MOST_SHAPED), left }
}

const isAskedWhole = ({ with: name }: Whole, args: Readonly<Record<string, unknown>>): boolean =>
  name === undefined || args[name] !== undefined

/** A file, read as it arrives. */
function fileRunner({ adapt, file: say }: RestRow, plan: Planner): Runner {
  return async (args, context) => {
    const values = adapt === undefined ? args : await adapt({ ...args }, context)
    const wanted = wantedOf(args, context.maxChars)
    const file = await context.forge.stream(fileRequest(plan(args, values)), answer =>
      readFile(answer, wanted)
    )
    return fileOutput(file, say!(file, args))
  }
}

type Send = (
  args: Record<string, unknown>,
  values: Readonly<Record<string, unknown>>,
  context: ToolContext
) => Promise<Pick<ToolOutput, 'value' | 'own' | 'added'> & { headers?: NonNullable<ToolOutput['page']> }>

/** One request; a status by which the forge says that it is so already is an answer, too. */
function sendOnce(row: RestRow, plan: Planner): Send {
  const unread = isOnlyShown(row)
  const already = row.already ?? {}
  const statuses = Object.keys(already).map(Number)
  return async (args, values, { forge }) => {
    try {
      return await forge.send({ ...plan(args, values), unread })
    } catch (error) {
      const status = statuses.find(status => isStatus(error, [status]))
      if (status === undefined) throw error
      const says = already[status]!
      if (says.startsWith('GET ')) return await forge.send({ method: 'GET', ...placeOf(says, args) })
      return { value: { status: 'success', message: says }, own: true }
    }
  }
}

/**
 * Changes what exists, or makes what does not, and says which; a message in place of the record says what became of it.
 */
function sendOrMake(row: RestRow, plan: Planner): Send {
  const { request, adapt, again } = row.orElse!
  const { choose: _, ...rest } = row
  const planMaking = planner({ ...rest, request })
  return async (args, values, { forge }) => {
    try {
      return withOutcome(await forge.send(plan(args, values)), 'updated')
    } catch (error) {
      if (!isStatus(error, [404])) throw error
    }
    try {
      const making = planMaking(args, adapt?.({ ...args }) ?? values)
      return withOutcome(await forge.send(making), 'created')
    } catch (error) {
      if (again !== true || !isStatus(error, [409])) throw error
      return withOutcome(await forge.send(plan(args, values)), 'updated')
    }
  }
}

const withOutcome = <Answer extends { readonly value: unknown }>(answer: Answer, result: string) =>
  fieldsOf(answer.value).message === undefined ? { ...answer, added: { result } } : answer

/** Whether nothing looks at what is read before it is shown. */
const isOnlyShown = ({ class: of, beyond, done, notice, shape }: RestRow): boolean =>
  of === 'read' && beyond === undefined && done === undefined && notice === undefined && shape === undefined

/** Of a text or number each table would show an empty record. @throws CallProblem */
function refuseScalar({ class: of }: RestRow, value: unknown): void {
  if (of === 'read' && typeof value !== 'object' && value !== undefined)
    throw new CallProblem('The forge answered with something that is neither a record nor a list.')
}

/** Whether there is nothing to show. A write whose outcome `shape` looks up has one to tell without a record, too. */
const isDone = ({ done, shape, class: of }: RestRow, value: unknown): boolean =>
  done !== undefined || (value === undefined && (shape === undefined || of === 'read'))

/** The result where the forge gave no record; one that was to be read is missing then. */
function acknowledged(row: RestRow, args: Record<string, unknown>) {
  if (row.class === 'read') throw new CallProblem('The forge answered without a record.')
  return {
    status: 'success',
    message: (typeof row.done === 'function' ? row.done(args) : row.done) ?? 'The forge accepted the request.'
  }
}
