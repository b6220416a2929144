import { saysMoved } from '../results/failure.ts'
import { isEmptyList } from '../results/is-record.ts'
import type { ToolOutput } from '../results/result.ts'
import { admission } from './admission.ts'
import { argumentsOf } from './arguments/argument-flags.ts'
import { secretHider } from './arguments/secret-arguments.ts'
import type { Arguments, OwnArguments } from './arguments/values.ts'
import { offTo, withoutDenied } from './arguments/without-denied.ts'
import type { ToolContext } from './context.ts'
import { withArchived } from './facts/archived.ts'
import { editionStep } from './facts/edition.ts'
import { withPresentPath } from './facts/moved.ts'
import { mayBeOfName } from './facts/names.ts'
import { type Assumed, saidOfFilled, withAssumed, withReason } from './facts/reason.ts'
import { lastSteps } from './last-steps.ts'
import { titleStep } from './names/named.ts'
import { unknownNamesStep } from './names/unknown-names.ts'
import { dayLeftOut } from './rows/checks.ts'
import type { ToolRow } from './rows/row.ts'
import type { InnerTool, Runner } from './runner.ts'
import { runnerOf } from './runners.ts'
import { hidingOf } from './shown-parts.ts'
import { suggestionStep } from './suggestions/step.ts'
import { unseenStep } from './suggestions/unseen-step.ts'
import { leftActionsStep } from './texts/left-actions.ts'
import type { ToolSettings } from './tool-settings.ts'
import { atLongerRef } from './web-urls/longer-ref.ts'

/** Prepares what a call does beside its requests. @throws Error if the row is invalid */
const stepsOf = (row: ToolRow, settings: ToolSettings) => ({
  admit: admission(row, settings),
  complete: lastSteps(row, settings),
  /** Finds another meaning of the given arguments, after the forge has refused them. */
  otherwise: titleStep(row.input),
  edition: editionStep(row),
  hideSecrets: secretHider(row.input),
  lookNear: suggestionStep(row.input),
  sayUnseen: unseenStep(row.input),
  lookAtNames: unknownNamesStep(row.input),
  lookAtActions: leftActionsStep(row.input, row.hiddenActions),
  lookAtDays: dayLeftOut(argumentsOf(row.input)),
  hide: hidingOf(row, settings.isDenied)
})

/** Another meaning of the arguments of a call, to be found once the forge has refused them; undefined if there is none. */
type Meaning = ReturnType<NonNullable<ReturnType<typeof stepsOf>['otherwise']>> | undefined

/** A call that runs. */
interface Running {
  /** The arguments in the meaning that was tried last. */
  args: OwnArguments
  /** Sentences on how they were understood. */
  readonly remarks: string[]
  readonly assumed: Assumed
}

/** Everything that calls need from their row, and what is done in each. */
export class PreparedRow {
  readonly #row: ToolRow
  readonly #settings: ToolSettings
  readonly #steps: ReturnType<typeof stepsOf>
  readonly #execute: Runner
  readonly #isRead: boolean
  readonly #isOfFile: boolean

  /**
   * @param compile makes a tool from an inner row, of which only the part that runs is used. A person who was asked
   *   about the whole call is not asked again about each
   * @throws Error if the row is invalid
   */
  constructor(row: ToolRow, settings: ToolSettings, compile: (row: ToolRow) => InnerTool) {
    this.#row = row
    this.#settings = settings
    this.#steps = stepsOf(row, settings)
    // If projects are unlimited, answers are not searched for records of other projects; if no tool is denied, not for
    // its parts.
    const shown = {
      ...row,
      ...(!settings.projects.isLimit && { beyond: undefined }),
      ...(this.#steps.hide === undefined && { shows: undefined })
    }
    this.#execute = runnerOf(shown, compile)
    this.#isRead = row.class === 'read'
    this.#isOfFile = row.input.required?.includes('path') === true
  }

  /** As Tool.run. */
  async run(raw: unknown, context: ToolContext): Promise<ToolOutput> {
    const { admit, complete, edition, lookAtNames, otherwise } = this.#steps
    const { args, said: remarks, ...assumed } = admit(raw, context)
    const call: Running = { args, remarks, assumed }
    edition?.refuse(args, context)
    const meant = otherwise?.(args)
    try {
      remarks.push(...(await complete(args, context)))
      const afterwards = lookAtNames?.(args, context)
      // Most calls have only one meaning.
      const isOpen = meant !== undefined || assumed.guess !== undefined
      const given = await (isOpen
        ? this.#execute(args, context).catch(refusal => this.#again(refusal, meant, call, context))
        : this.#execute(args, context))
      const output = withRecord(this.#kept(given, context), this.#row, call.args)
      doubtEmpty(this.#row, output, context)
      const told = afterwards && (await afterwards(output))
      return this.#withRemarks(output, told, call, context)
    } catch (error) {
      if (this.#isRead && mayBeOfName(error) && (await context.names.changed())) return this.run(raw, context)
      throw await this.#explained(error, call, context)
    } finally {
      noteChange(this.#row, context)
    }
  }

  /** Tries another meaning of the arguments. @throws the refusal of the first if there is none */
  async #again(refusal: unknown, meant: Meaning, call: Running, context: ToolContext): Promise<ToolOutput> {
    const { args, assumed } = call
    if (meant !== undefined) return this.#execute(await meant(refusal, args, context), context)
    const longer = await atLongerRef(refusal, this.#isRead ? assumed.guess : undefined, args, context)
    // The whole address is the branch, and names no file.
    if (longer === undefined || (this.#isOfFile && longer.args.path === undefined)) throw refusal
    call.args = longer.args
    call.remarks.push(longer.remark)
    return this.#execute(longer.args, context)
  }

  /** The part of an output that the policy lets its caller see. */
  #kept(output: ToolOutput, { forge }: ToolContext): ToolOutput {
    const { hide } = this.#steps
    const own = this.#settings.projects.keep(output, this.#row.beyond, forge.webUrl)
    return hide === undefined ? own : hide(own)
  }

  #withRemarks(
    output: ToolOutput,
    told: readonly string[] | undefined,
    { args, remarks, assumed }: Running,
    context: ToolContext
  ): ToolOutput {
    const left = this.#steps.lookAtActions?.(args, output.value)
    const days = this.#steps.lookAtDays(args, output.value)
    const within = saidOfFilled(output.value, assumed, this.#isRead)
    if (within !== undefined) remarks.push(within)
    const all = withNotices(output, remarks, [...(told ?? []), ...(left ?? []), ...days])
    return withoutOff(
      all,
      offTo(this.#row.input, this.#settings.isTool, name => context.mayRun(name))
    )
  }

  async #explained(error: unknown, { args, assumed }: Running, context: ToolContext): Promise<unknown> {
    const { edition, hideSecrets, lookNear, sayUnseen } = this.#steps
    await withFacts(error, this.#row, args, context)
    if (lookNear !== undefined) await lookNear(error, args, context)
    sayUnseen?.(error, args, context.unseenBudget)
    withAssumed(error, assumed, args, context)
    return hideSecrets((await edition?.explain(error, args, context)) ?? error, args)
  }
}

/** Adds the reason to a refusal, as far as the call's subject shows it. */
async function withFacts(error: unknown, row: ToolRow, args: Arguments, context: ToolContext): Promise<void> {
  if (saysMoved(error)) await withPresentPath(error, args, context)
  else if (row.reason !== undefined) await withReason(error, row.reason, args, context)
  if (row.class !== 'read') await withArchived(error, args, context)
}

/** An empty list may be due to a remembered name that is outdated: the next read asks the forge for it again. */
function doubtEmpty({ class: of }: ToolRow, { value }: ToolOutput, context: ToolContext): void {
  // The name cache is used only in this case, because this is in the path of every call.
  if (of === 'read' && isEmptyList(value)) context.names.doubt()
}

/** After a change, reads ask for names again: the change may have renamed, created or deleted something. */
function noteChange({ class: of }: ToolRow, context: ToolContext): void {
  if (of !== 'read' && context.forge.wrote) context.known.changed()
}

/** Adds the call's own notices before and after those of its output. */
function withNotices(output: ToolOutput, before: readonly string[], after: readonly string[]): ToolOutput {
  if (before.length === 0 && after.length === 0) return output
  return { ...output, notices: [...before, ...(output.notices ?? []), ...after] }
}

/** Removes references to tools that the caller may not run from the notices. */
function withoutOff(output: ToolOutput, isOff: (name: string) => boolean): ToolOutput {
  const { notices = [] } = output
  if (notices.length === 0) return output
  return { ...output, notices: notices.map(notice => withoutDenied(notice, isOff)) }
}

/** Adds the type of the records, if it depends on an argument. */
function withRecord(output: ToolOutput, { record }: ToolRow, args: Arguments): ToolOutput {
  if (typeof record !== 'object') return output
  return { ...output, record: record.of[String(args[record.argument])] }
}
