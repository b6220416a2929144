import { explainFailure, saysMoved } from '../results/failure.ts'
import { isEmptyList } from '../results/is-record.ts'
import { PolicyProblem } from '../results/problem.ts'
import type { RecordName } from '../results/records/index.ts'
import type { ToolOutput } from '../results/result.ts'
import type { ToolClass } from '../results/tool-class.ts'
import { admission } from './admission.ts'
import { adviceOf } from './arguments/advice.ts'
import { secretHider } from './arguments/secret-arguments.ts'
import { withoutRevealing } from './arguments/secret-values.ts'
import type { Arguments } from './arguments/values.ts'
import { withoutDenied } from './arguments/without-denied.ts'
import { confirmable } from './consent/consent.ts'
import type { ToolContext } from './context.ts'
import { withArchived } from './facts/archived.ts'
import { editionStep } from './facts/edition.ts'
import { withPresentPath } from './facts/moved.ts'
import { mayBeOfName } from './facts/names.ts'
import { type Assumed, saidOfFilled, withAssumed, withReason } from './facts/reason.ts'
import { lastSteps } from './last-steps.ts'
import { titleStep } from './names/named.ts'
import { unknownNamesStep } from './names/unknown-names.ts'
import { type ObjectArguments, objectArguments } from './objects.ts'
import { describeTool, mirroredArguments } from './rows/describe.ts'
import { explainersOf } from './rows/listed-schema.ts'
import type { ToolRow } from './rows/row.ts'
import type { ToolsetId } from './rows/toolset-id.ts'
import { runnerOf } from './runners.ts'
import { hidingOf } from './shown-parts.ts'
import { suggestionStep } from './suggestions/step.ts'
import { unseenStep } from './suggestions/unseen-step.ts'
import { leftActionsStep } from './texts/left-actions.ts'
import { anyText } from './texts/quick-actions.ts'
import type { ToolSettings } from './tool-settings.ts'
import { atLongerRef } from './web-urls/longer-ref.ts'

/** A row, prepared to run. */
export interface Tool {
  readonly name: string
  readonly class: ToolClass
  /** Whether it writes a file where the server runs. */
  readonly saves: boolean
  /** The toolset it was registered in; undefined for one that is always on. */
  readonly toolset: ToolsetId | undefined
  /**
   * Its entry in a list of tools, as JSON.
   * @param names of all tools in the list: what one of them explains is not explained again
   * @param mirrors for clients that mirror arguments in headers
   */
  definition(names: ReadonlySet<string>, mirrors?: boolean): string
  /** Arguments that are mirrored in headers: argument → header, without Mcp-Param-. */
  readonly mirrored: ReadonlyMap<string, string>
  /** Whether its records have a declared schema and are also returned as structuredContent. */
  readonly structured: boolean
  /** Tools whose work this one also does. */
  readonly does: readonly string[]
  /** How it reaches beyond the project it names. */
  readonly beyond: ToolRow['beyond']
  /** Argument names. */
  readonly inputs: ReadonlySet<string>
  /** Arguments that identify the object of the call. */
  readonly objects: ObjectArguments
  /** Flags that request secret values, whether or not they may be used. */
  readonly reveals: readonly string[]
  /** The type of its records, for the table of the fields that are shown. */
  readonly record: RecordName | undefined
  /**
   * Explains a failure that the caller can do something about, with next steps of the row that the caller may run.
   * @param writes whether the call sent anything that changes things @param mayRun whether the caller may run a tool
   * @returns undefined for a fault of this service
   */
  explain(error: unknown, writes: boolean, mayRun: ToolContext['mayRun']): string | undefined
  /** Prepares everything that the first call would prepare. @throws Error if the row is invalid */
  readonly prepare: () => void
  /** @throws CallProblem, ForgeStatusError or ForgeError, each of which may be shown to the caller */
  run(raw: unknown, context: ToolContext): Promise<ToolOutput>
}

/**
 * Makes a tool from a row. Its argument reader, templates and listing are made when they are first needed: a program
 * with hundreds of tools must start as fast as one with ten, and a session uses only a few of them.
 */
export function compileTool(row: ToolRow, toolset: ToolsetId | undefined, settings: ToolSettings): Tool {
  const asked = confirmable(row, settings.confirm)
  const offered = settings.denySecretValues ? withoutRevealing(asked) : asked
  const actions = settings.checkText === anyText
  const explainers = once(() => [...explainersOf(offered.input)])
  const definitions = new Map<string, string>()
  const mirrored = once(() => mirroredArguments(offered))
  const objects = once(() => objectArguments(Object.keys(offered.input.properties), row))
  const prepared = once(() => preparedCall(row, settings))
  const advice = once(() => adviceOf(row))
  return {
    name: row.name,
    class: row.class,
    saves: row.saves === true,
    toolset,
    definition(names, mirrors = false) {
      const missing = explainers().filter(tool => !names.has(tool))
      const key = [mirrors, ...missing].join(' ')
      const has = (tool: string) => !missing.includes(tool)
      const made = definitions.get(key) ?? JSON.stringify(describeTool(offered, { actions, mirrors, has }))
      definitions.set(key, made)
      return made
    },
    get mirrored() {
      return mirrored()
    },
    structured: row.output !== undefined,
    beyond: row.beyond,
    does: row.does ?? [],
    inputs: new Set(Object.keys(offered.input.properties)),
    get objects() {
      return objects()
    },
    reveals: row.reveals ?? [],
    record: typeof row.record === 'string' ? row.record : undefined,
    explain(error, writes, mayRun) {
      const problem = explainFailure(error, writes, advice(), row.class !== 'read')
      // A policy problem may name the denied tool: it is the cause.
      return error instanceof PolicyProblem
        ? problem
        : problem && withoutDenied(problem, offTo(row, settings, mayRun))
    },
    prepare: prepared,
    run: (raw, context) => prepared().run(raw, context)
  }
}

/** Whether a name is a tool that the caller may not run. An argument may have the same name as a tool. */
const offTo =
  ({ input }: ToolRow, { isTool }: ToolSettings, mayRun: ToolContext['mayRun']) =>
  (name: string): boolean =>
    isTool(name) && !(name in input.properties) && !mayRun(name)

type Call = Pick<Tool, 'run'>

/** Everything that a call needs from its row. @throws Error if the row is invalid */
function preparedCall(row: ToolRow, settings: ToolSettings): Call {
  const admit = admission(row, settings)
  const complete = lastSteps(row, settings)
  // Finds another meaning of the given arguments, after the forge has refused them.
  const otherwise = titleStep(row.input)
  const edition = editionStep(row)
  const hideSecrets = secretHider(row.input)
  const lookNear = suggestionStep(row.input)
  const sayUnseen = unseenStep(row.input)
  const lookAtNames = unknownNamesStep(row.input)
  const lookAtActions = leftActionsStep(row.input, row.hiddenActions)
  // For an inner tool, only the part that runs is used. A person who was asked about the whole call is not asked again
  // about each.
  const hide = hidingOf(row, settings.isDenied)
  // If projects are unlimited, answers are not searched for records of other projects; if no tool is denied, not for
  // its parts.
  const shown = {
    ...row,
    ...(!settings.projects.isLimit && { beyond: undefined }),
    ...(hide === undefined && { shows: undefined })
  }
  const execute = runnerOf(shown, inner => compileTool(inner, undefined, { ...settings, confirm: 'off' }))
  const kept = (output: ToolOutput, { forge }: ToolContext) => {
    const own = settings.projects.keep(output, row.beyond, forge.webUrl)
    return hide === undefined ? own : hide(own)
  }
  const explained = async (error: unknown, args: Arguments, assumed: Assumed, context: ToolContext) => {
    await withFacts(error, row, args, context)
    if (lookNear !== undefined) await lookNear(error, args, context)
    sayUnseen?.(error, args, context.unseenBudget)
    withAssumed(error, assumed, args, context)
    return hideSecrets((await edition?.explain(error, args, context)) ?? error, args)
  }

  const isRead = row.class === 'read'
  const isOfFile = row.input.required?.includes('path') === true

  const run: Tool['run'] = async (raw, context) => {
    const { args: admitted, said, ...assumed } = admit(raw, context)
    let args = admitted
    edition?.refuse(args, context)
    const meant = otherwise?.(args)
    try {
      const remarks = [...said, ...(await complete(args, context))]
      const afterwards = lookAtNames?.(args, context)
      const again = async (refusal: unknown) => {
        if (meant !== undefined) return execute(await meant(refusal, args, context), context)
        const longer = await atLongerRef(refusal, isRead ? assumed.guess : undefined, args, context)
        // The whole address is the branch, and names no file.
        if (longer === undefined || (isOfFile && longer.args.path === undefined)) throw refusal
        args = longer.args
        remarks.push(longer.remark)
        return execute(args, context)
      }
      // Most calls have only one meaning.
      const isOpen = meant !== undefined || assumed.guess !== undefined
      const given = await (isOpen ? execute(args, context).catch(again) : execute(args, context))
      const output = withRecord(kept(given, context), row, args)
      doubtEmpty(row, output, context)
      const told = afterwards && (await afterwards(output))
      const left = lookAtActions?.(args, output.value)
      const within = saidOfFilled(output.value, assumed, isRead)
      if (within !== undefined) remarks.push(within)
      const all = withNotices(output, remarks, [...(told ?? []), ...(left ?? [])])
      return withoutOff(
        all,
        offTo(row, settings, name => context.mayRun(name))
      )
    } catch (error) {
      if (isRead && mayBeOfName(error) && (await context.names.changed())) return run(raw, context)
      throw await explained(error, args, assumed, context)
    } finally {
      noteChange(row, context)
    }
  }
  return { run }
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

/** A function that makes a value once, when it is first needed. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
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
