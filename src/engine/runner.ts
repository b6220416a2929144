import type { ToolOutput } from '../results/result.ts'
import type { OwnArguments } from './arguments/values.ts'
import type { ToolContext } from './context.ts'

/** Runs a row once its arguments are read and checked. @throws what the row's requests throw, CallProblem */
export type Runner = (args: OwnArguments, context: ToolContext) => Promise<ToolOutput>

/** The parts of a tool that another tool needs to call it. */
export interface InnerTool {
  explain(error: unknown, writes: boolean, mayRun: ToolContext['mayRun']): string | undefined
  run(raw: unknown, context: ToolContext): Promise<ToolOutput>
}
