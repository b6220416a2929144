import { explainFailure } from '../results/failure.ts'
import { PolicyProblem } from '../results/problem.ts'
import type { RecordName } from '../results/records/index.ts'
import type { ToolOutput } from '../results/result.ts'
import type { ToolClass } from '../results/tool-class.ts'
import { adviceOf } from './arguments/advice.ts'
import { withoutRevealing } from './arguments/secret-values.ts'
import { offTo, withoutDenied } from './arguments/without-denied.ts'
import { confirmable } from './consent/consent.ts'
import type { ToolContext } from './context.ts'
import { type ObjectArguments, objectArguments } from './objects.ts'
import { PreparedRow } from './prepared-row.ts'
import { describeTool, mirroredArguments } from './rows/describe.ts'
import { explainersOf } from './rows/listed-schema.ts'
import type { ToolRow } from './rows/row.ts'
import type { ToolsetId } from './rows/toolset-id.ts'
import { anyText } from './texts/quick-actions.ts'
import type { ToolSettings } from './tool-settings.ts'

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
  const inner = (of: ToolRow) => compileTool(of, undefined, { ...settings, confirm: 'off' })
  const prepared = once(() => new PreparedRow(row, settings, inner))
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
        : problem && withoutDenied(problem, offTo(row.input, settings.isTool, mayRun))
    },
    prepare: prepared,
    run: (raw, context) => prepared().run(raw, context)
  }
}

/** A function that makes a value once, when it is first needed. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
