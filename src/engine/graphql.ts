import { CallProblem } from '../results/problem.ts'
import { startOf } from '../results/shortened.ts'
import { quoted } from '../results/visible.ts'
import { errorsIn } from '../upstream/answers/answer.ts'
import type { Arguments, Values } from './arguments/values.ts'
import type { ToolContext } from './context.ts'
import { ForgeSchema } from './facts/forge-schema.ts'
import type { GraphqlRow } from './rows/row.ts'
import type { Runner } from './runner.ts'

/** Most documents that are tried for one call: with all fields, without new ones, without those of an edition. */
const MAX_CHOICES = 3

/** Prepares a row whose request is a GraphQL document. */
export function graphqlRunner(row: GraphqlRow): Runner {
  const { variables, payload, shape, explain, notice } = row
  return async (args, context) => {
    try {
      const values = (await variables?.(args, context)) ?? args
      const data = await ask(row, args, values, context)
      if (payload !== undefined) refusePayload(data[typeof payload === 'string' ? payload : payload(args)])
      const value = await shape(data, args, context)
      const said = notice?.(data, args)
      return said === undefined ? { value } : { value, notices: [said] }
    } catch (error) {
      throw explain === undefined ? error : await explain(error, args, context)
    }
  }
}

/** Sends the document. If the row has variants, it sends the one whose fields this forge knows. */
async function ask(
  { document }: GraphqlRow,
  args: Arguments,
  values: Values,
  context: ToolContext
): Promise<Record<string, unknown>> {
  if (typeof document === 'string') return context.forge.graphql(document, values)
  const schema = await ForgeSchema.of(context)
  for (let choices = 1; ; choices++) {
    try {
      return await context.forge.graphql(await document(args, schema), values)
    } catch (error) {
      // A document that a forge refuses because of its fields had no effect.
      if (choices === MAX_CHOICES || !schema.learn(error)) throw error
    }
  }
}

/** Most reasons of one refusal that are reported. */
const MAX_ERRORS = 20

/** The problem if the answer to a change does not say whether it was made. */
export const unsaid = (): CallProblem =>
  new CallProblem('The forge did not say whether the change was made: look before you repeat it.')

/** Reads why a mutation failed: the reason is in its payload, with status 200. @throws CallProblem */
export function refusePayload(payload: unknown): void {
  if (typeof payload !== 'object' || payload === null) throw unsaid()
  const errors = errorsIn((payload as { errors?: unknown }).errors)
  if (errors.length === 0) return
  const texts = errors.slice(0, MAX_ERRORS).filter(error => typeof error === 'string')
  const said = texts.length === 0 ? '' : `: ${quoted(startOf(texts.join('; '), 2000))}`
  throw new CallProblem(`The forge refused the change${said}.`)
}
