import { Type } from 'typebox'
import { isRecord } from '../../results/is-record.ts'
import { NotConfirmed, PolicyProblem } from '../../results/problem.ts'
import type { ToolClass } from '../../results/tool-class.ts'
import type { ToolContext } from '../context.ts'
import type { ToolRow } from '../rows/row.ts'
import { confirmStep, nameReader } from './confirm.ts'
import { consentQuestion, isAgreed, isOfPerson, QUESTION } from './consent-question.ts'
import { type ClientReply, InputRequired, Unanswered } from './question.ts'

/*
 * Confirmation before harm (FORGE_CONFIRM): by a person, if the client can ask one; otherwise by an argument that no
 * caller gives by mistake.
 */

/** FORGE_CONFIRM: which tools need confirmation before they do anything. */
export type ConfirmPolicy = 'off' | 'destructive' | 'writes'

/**
 * Asks for confirmation.
 * @param name the record's name, if it was already read
 * @throws NotConfirmed, CallProblem, InputRequired
 */
type ConsentStep = (
  args: Record<string, unknown>,
  context: ToolContext,
  name: string | undefined
) => Promise<void>

const isAskedOf = (policy: ConfirmPolicy, of: ToolClass): boolean =>
  policy === 'writes' ? of !== 'read' : policy === 'destructive' && of === 'destructive'

const hasConfirm = ({ input }: ToolRow): boolean => 'confirm' in input.properties

/**
 * A row as it is listed under a policy. If the policy requires confirmation, the row gets the argument `confirm`,
 * unless it has it already.
 */
export function confirmable(row: ToolRow, policy: ConfirmPolicy): ToolRow {
  if (!isAskedOf(policy, row.class) || hasConfirm(row)) return row
  const confirm = Type.Optional(
    Type.String({
      description: 'Only where a refusal asks for it',
      problem: 'must be the text that the refusal of a call without it asks for'
    })
  )
  return { ...row, input: { ...row.input, properties: { ...row.input.properties, confirm } } }
}

/**
 * Prepares the removal of `confirm` for destructive tools without that argument: models write it for all such tools.
 * Only a yes is removed, or a value that another argument has, too: anything else may mean that another thing is to be
 * affected.
 * @param input as it is listed
 */
export function withoutIdleConfirm(
  { class: of }: ToolRow,
  input: ToolRow['input']
): (raw: unknown) => unknown {
  if (of !== 'destructive' || 'confirm' in input.properties) return raw => raw
  return raw => {
    if (!isRecord(raw) || !Object.hasOwn(raw, 'confirm')) return raw
    const { confirm, ...args } = raw
    return [true, 'true', 'yes', ...Object.values(args)].includes(confirm) ? args : raw
  }
}

/**
 * Prepares the last step before a row runs.
 * @param row as it was written, before `confirmable`
 * @returns undefined if no confirmation is required
 */
export function consentStep(row: ToolRow, policy: ConfirmPolicy): ConsentStep | undefined {
  if (!isAskedOf(policy, row.class)) return undefined
  const readName = row.subject === undefined ? undefined : nameReader(row.subject)
  const ask = consentQuestion(row)
  const checkArgument = hasConfirm(row) ? isGiven(row) : argumentRule(row)
  return async (args, context, name) => {
    if (context.client.can('elicitation')) {
      // The caller must not be able to answer for the person.
      if (!hasConfirm(row)) delete args.confirm
      const subject = name ?? (await readName?.(args, context))
      await askPerson(ask(args, context.forge.webUrl, subject), context)
      return
    }
    await checkArgument(args, context)
    if (!hasConfirm(row)) delete args.confirm
    context.consent('named')
  }
}

/** The last step before a change that is not confirmed: answers to a question that is no longer asked may be a no. */
export const unaskedStep = ({ class: of }: ToolRow): ConsentStep | undefined =>
  of === 'read' ? undefined : async (_args, { client }) => client.checkUnasked()

async function askPerson(question: ReturnType<ReturnType<typeof consentQuestion>>, context: ToolContext) {
  let reply: ClientReply
  try {
    reply = (await context.client.ask({ [QUESTION]: question }))[QUESTION]!
  } catch (error) {
    if (error instanceof InputRequired) context.consent('asked')
    if (!(error instanceof Unanswered)) throw error
    context.consent('unanswered')
    throw new NotConfirmed(`${error.message} Nothing was done: a person has to agree to this call first.`)
  }
  if (isAgreed(reply)) {
    context.consent('confirmed')
    context.checkStill()
    context.names.forget()
    return
  }
  // A client that answers by itself has asked nobody.
  if (!isOfPerson(reply)) {
    context.consent('unanswered')
    throw new NotConfirmed(
      'The client answered the question without what a person chose (action: accept with content.agree true or false, decline or cancel). Nothing was done: a person has to agree to this call first.'
    )
  }
  const isClosed = reply.action === 'cancel'
  context.consent(isClosed ? 'cancelled' : 'declined')
  throw new NotConfirmed(
    isClosed
      ? 'The person closed the question without an answer. Nothing was done: ask them what they want.'
      : 'The person was asked and said no. Nothing was done: do not try it in another way; ask them what they want.'
  )
}

type ArgumentRule = (args: Record<string, unknown>, context: ToolContext) => Promise<void>

/** The tool's own rule has already compared `confirm` with the record, but does not require it. */
const isGiven =
  ({ name }: ToolRow): ArgumentRule =>
  async args => {
    if (args.confirm === undefined) throw missing(name, 'the name of the thing exactly as it is, in confirm')
  }

/** The value that `confirm` must have: the record's name or, without a record, the name of the tool. */
function argumentRule({ name, subject }: ToolRow): ArgumentRule {
  if (subject === undefined)
    return async args => {
      if (args.confirm !== name) throw missing(name, `confirm: ${JSON.stringify(name)}`)
    }
  const check = confirmStep(subject)
  return async (args, context) => {
    if (args.confirm === undefined)
      throw missing(name, `the ${subject.field} of the ${subject.noun} exactly as it is, in confirm`)
    await check(args, context)
  }
}

const missing = (name: string, what: string) =>
  new PolicyProblem(
    `This server wants ${name} confirmed. Nothing was done: ask the person you work for, and when they agree repeat the call with ${what}.`
  )
