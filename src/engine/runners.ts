import { isStatus } from '../results/failure.ts'
import type { ToolOutput } from '../results/result.ts'
import { quoted } from '../results/visible.ts'
import { givenBy } from '../upstream/answers/expected.ts'
import { saysOnlyRefusal } from '../upstream/answers/refusal.ts'
import type { Arguments, OwnArguments, Values } from './arguments/values.ts'
import type { NoticeContext, ToolContext } from './context.ts'
import { fileOutput, wantedOf } from './files/file-output.ts'
import { fileRequest, readFile } from './files/read-file.ts'
import { graphqlRunner } from './graphql.ts'
import { briefly } from './lookup-budget.ts'
import { allPages, pageOf } from './requests/pages.ts'
import { type Planner, planner } from './requests/plan.ts'
import { requestTo, type Verb } from './requests/template.ts'
import { Noted } from './rows/noted.ts'
import type { GraphqlRow, RestRow, ToolRow, Whole } from './rows/row.ts'
import type { InnerTool, Runner } from './runner.ts'
import { severalRunner } from './several.ts'

/**
 * Prepares a row's requests once.
 * @param compile makes a tool from an inner row
 * @throws Error if the row is invalid
 */
export function runnerOf(row: ToolRow, compile: (row: ToolRow) => InnerTool): Runner {
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

/** Whether a page is requested. Otherwise the whole list is shown, as it was read to its end anyway. */
const asksPage = ({ page, per_page }: Arguments): boolean => page !== undefined || per_page !== undefined

function restRunner(row: RestRow): Runner {
  const plan = planner(row)
  if (row.file !== undefined) return fileRunner(row, plan)
  const send = row.orElse === undefined ? sendOnce(row, plan) : sendOrMake(row, plan)
  const sent = (args: OwnArguments, values: Values, context: ToolContext) =>
    send(args, values, context).then(answer => outputOf(row, answer, args, values, context))
  return async (args, context) => {
    const values = row.adapt === undefined ? args : await row.adapt({ ...args }, context)
    if (row.whole !== undefined && isAskedWhole(row.whole, args))
      return wholeOutput(row, row.whole, plan, args, values, context)
    // No code of a read waits for long, so the answer may be kept meanwhile. This saves a promise, which is expensive
    // here.
    return row.class === 'read'
      ? outputOf(row, await send(args, values, context), args, values, context)
      : sent(args, values, context)
  }
}

/** The output of a list that is read to its end. */
async function wholeOutput(
  row: RestRow,
  whole: Whole,
  plan: Planner,
  args: OwnArguments,
  values: Values,
  context: ToolContext
): Promise<ToolOutput> {
  const { page: _, per_page: __, ...all } = values
  const { records, notices } = await allPages(context.forge, plan(args, all), whole)
  const notice = await row.notice?.(records, args, forNotice(context), values)
  const shaped = row.shape === undefined ? records : await row.shape(records, args, context, values)
  const [shown, noted] = shaped instanceof Noted ? [shaped.value, shaped.notice] : [shaped]
  const output =
    whole.with === undefined || !asksPage(args) ? { value: shown } : pageOf(shown, args, notices.length === 0)
  return { ...output, notices: [notice, ...notices, noted].filter(isSaid) }
}

/**
 * Makes the output of an answer. A row's own code may wait for long, as for a rebase, and meanwhile keeps only what it
 * needs of the answer. So nothing here may keep the whole answer, as a generator or a closure would.
 */
function outputOf(
  row: RestRow,
  answer: Sent,
  args: OwnArguments,
  values: Values,
  context: ToolContext
): ToolOutput | Promise<ToolOutput> {
  const notice =
    answer.added?.result === 'created'
      ? row.orElse?.notice?.(args, forNotice(context)).catch(() => undefined)
      : row.notice?.(answer.value, args, forNotice(context), values)
  return notice instanceof Promise
    ? notice.then(notice => withNotice(row, answer, notice, args, values, context))
    : withNotice(row, answer, notice, args, values, context)
}

function withNotice(
  row: RestRow,
  { value, own, headers, added }: Sent,
  notice: string | undefined,
  args: OwnArguments,
  values: Values,
  context: ToolContext
): ToolOutput | Promise<ToolOutput> {
  if (isDone(row, value))
    return {
      value: acknowledged(row, args),
      own: true,
      added,
      notices: [notice, besideStatus(value)].filter(isSaid)
    }
  // An answer to a write has no further pages.
  const page = row.class === 'read' ? headers : undefined
  if (row.shape === undefined) return { value, own, added, page, notices: [notice].filter(isSaid) }
  const { records, left } = shapeable(value)
  const notices = [notice, left].filter(isSaid)
  const output = (shown: unknown): ToolOutput =>
    shown instanceof Noted
      ? { value: shown.value, own, added, page, notices: [...notices, shown.notice] }
      : { value: shown, own, added, page, notices }
  const shown = row.shape(records, args, context, values)
  return shown instanceof Promise ? shown.then(output) : output(shown)
}

const forNotice = (context: ToolContext): NoticeContext => ({
  forge: briefly(context.forge, context.lookups),
  mayRun: tool => context.mayRun(tool)
})

const isSaid = (notice: string | undefined): notice is string => notice !== undefined

/** Most records of one answer that a row's own code reads: each takes microseconds, and a forge may send any number. */
const MAX_SHAPED = 2_000

/** The part of an answer that is passed to a row's own code, and a notice about records that are left out. */
function shapeable(value: unknown): { readonly records: unknown; readonly left?: string } {
  if (!Array.isArray(value) || value.length <= MAX_SHAPED) return { records: value }
  const left = `The answer has ${value.length} records: these are of the first ${MAX_SHAPED}.`
  return { records: value.slice(0, MAX_SHAPED), left }
}

const isAskedWhole = ({ with: name }: Whole, args: Arguments): boolean =>
  name === undefined || args[name] !== undefined

/** Runs a row whose answer is a file, which is read as it arrives. */
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

type Sent = Pick<ToolOutput, 'value' | 'own' | 'added'> & { headers?: NonNullable<ToolOutput['page']> }

type Send = (args: OwnArguments, values: Values, context: ToolContext) => Promise<Sent>

/**
 * Sends one request. A status by which the forge says that the state is already as requested also counts as an answer.
 */
function sendOnce(row: RestRow, plan: Planner): Send {
  const unparsed = isOnlyShown(row)
  const already = row.already ?? {}
  const statuses = Object.keys(already).map(Number)
  return async (args, values, { forge, lookups }) => {
    try {
      return await forge.send({ ...plan(args, values), unparsed })
    } catch (error) {
      const status = statuses.find(status => isStatus(error, [status]))
      if (status === undefined) throw error
      const says = already[status]!
      const told = (message: string) => ({ value: { status: 'success', message }, own: true }) as const
      if (!says.startsWith('GET ')) return told(says)
      return await briefly(forge, lookups)
        .send(requestTo(says, args))
        .catch(() => told('It is so already, and more of it could not be read.'))
    }
  }
}

/**
 * Changes what exists or creates what does not, and adds which of these happened. If the answer has words instead of
 * the thing, nothing is added: the words say what happened. An empty answer has none: its status says that it was done.
 */
function sendOrMake(row: RestRow, plan: Planner): Send {
  const { request, adapt, again, is } = row.orElse!
  const { choose: _, ...rest } = row
  const planMaking = planner({ ...rest, request })
  const withOutcome = <Answer extends { readonly value: unknown }>(answer: Answer, result: string) =>
    isNothing(answer.value) || is(answer.value) ? { ...answer, added: { result } } : answer
  return async (args, values, context) => {
    const { forge } = context
    try {
      return withOutcome(await forge.send(plan(args, values)), 'updated')
    } catch (error) {
      if (!isStatus(error, [404])) throw error
    }
    try {
      const making = adapt === undefined ? values : await adapt({ ...args }, context)
      return withOutcome(await forge.send(planMaking(args, making)), 'created')
    } catch (error) {
      if (again !== true || !isStatus(error, [409])) throw error
      return withOutcome(await forge.send(plan(args, values)), 'updated')
    }
  }
}

/** Whether no code reads the answer before it is shown. */
const isOnlyShown = ({ class: of, beyond, done, notice, shape, shows }: RestRow): boolean =>
  of === 'read' && [beyond, done, notice, shape, shows].every(key => key === undefined)

/** Whether the forge returns a record for the requests of a row. */
const givesRecord = ({ request }: RestRow): boolean =>
  [request].flat().some(request => {
    const [method, template] = request.split(' ') as [Verb, string]
    return givenBy({ method, template }) !== undefined
  })

/**
 * Whether there is nothing to show. If the forge returns no record, a write whose `shape` looks up the outcome still
 * has something to show.
 */
const isDone = (row: RestRow, value: unknown): boolean =>
  row.done !== undefined ||
  (row.class !== 'read' && isNothing(value) && (row.shape === undefined || givesRecord(row)))

/** A text in place of a record is not examined: each of its characters would be a key. */
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** The result if the forge sent no record: the status says that the request succeeded, but not what was changed. */
const acknowledged = ({ done }: RestRow, args: OwnArguments) => ({
  status: 'success',
  message:
    (typeof done === 'function' ? done(args) : done) ??
    'The forge accepted the request, and sent no record of it.'
})

/** The words of an answer that says more than its status. A success that is told in words may be a gateway's. */
function besideStatus(value: unknown): string | undefined {
  if (!saysOnlyRefusal(value)) return undefined
  const { message } = value
  return typeof message === 'string' && !/^\s*(?:20\d\b|$)/.test(message)
    ? `The forge said: ${quoted(message)}.`
    : undefined
}
