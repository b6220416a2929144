import type { ToolContext } from '../engine/context.ts'
import type { Tool } from '../engine/tool.ts'
import { isOverflow } from '../results/failure.ts'
import type { ResultPolicy, ToolOutput, ToolResult } from '../results/result.ts'
import { UnparsedAnswer } from '../upstream/answers/unparsed.ts'
import { isOfOddValue, OddAnswer } from '../upstream/errors.ts'

/**
 * Writes a tool's output in the form that its caller needs.
 * @param onCut called if something does not fit, while the result is written
 */
export interface Writer<Written> {
  write(output: ToolOutput, policy: ResultPolicy, tool: Tool, onCut: (notice: string) => void): Written
  /**
   * Converts a result that was written in the worker. Without this function, the value is read first and then written.
   */
  of?(result: ToolResult, output: ToolOutput): Written
}

/**
 * The outcome of a run. The caller can correct a tool error, and its `problem` says how; a caller can do nothing about
 * a fault. The outcome `ok` has an error if a part of the call failed.
 */
export type Run<Written> =
  | { readonly outcome: 'ok'; readonly result: Written; readonly error?: unknown }
  | { readonly outcome: 'tool_error'; readonly problem: string; readonly error: unknown }
  | { readonly outcome: 'fault'; readonly error: unknown }

/** A text, with a sentence behind it if there is one. */
export const withHint = (text: string, hint: string | undefined): string =>
  hint === undefined ? text : `${text} ${hint}`

/**
 * Runs a tool and explains every failure that its caller can act on. Never throws.
 * @param toSay returns a sentence that the caller needs in addition to a problem or notice
 */
export async function runTool<Written>(
  tool: Tool,
  raw: unknown,
  context: ToolContext,
  policy: ResultPolicy,
  writer: Writer<Written>,
  toSay: (text: string) => string | undefined = () => undefined
): Promise<Run<Written>> {
  const cut = (notice: string) => context.log('notice', notice)
  try {
    const output = withMore(withLinks(await tool.run(raw, context), context), toSay)
    const { value } = output
    if (value instanceof UnparsedAnswer && writer.of !== undefined)
      return {
        result: writer.of(await writtenElsewhere(value, output, policy, tool, cut), output),
        outcome: 'ok'
      }
    const whole = value instanceof UnparsedAnswer ? { ...output, value: await value.value() } : output
    const written = context.forge.paced(() => writer.write(whole, policy, tool, cut))
    return {
      result: written instanceof Promise ? await written : written,
      outcome: 'ok',
      error: output.failed
    }
  } catch (thrown) {
    const error = oddOr(thrown, context)
    const problem = tool.explain(error, context.forge.wrote, name => context.mayRun(name))
    if (problem === undefined) return { outcome: 'fault', error }
    return { problem: withHint(problem, toSay(problem)), outcome: 'tool_error', error }
  }
}

/**
 * Rows expect the answers that forges are known to give. If a forge answers something else and reading it fails, the
 * error is reported as one about the answer. This happens here, for all rows. If the forge has not answered yet, the
 * error is this service's own.
 */
const oddOr = (thrown: unknown, { forge }: ToolContext): unknown =>
  forge.answered && isOfOddValue(thrown) && !isOverflow(thrown) ? new OddAnswer(thrown) : thrown

/** The result of a large answer that is only shown: it is written in the worker that read the answer. */
async function writtenElsewhere(
  answer: UnparsedAnswer,
  { value: _, ...output }: ToolOutput,
  policy: ResultPolicy,
  { class: of, inputs, record, structured }: Tool,
  onCut: (notice: string) => void
): Promise<ToolResult> {
  const tool = { class: of, inputs, record, structured }
  const { cuts, result } = await answer.written({ output, policy, tool })
  for (const cut of cuts) onCut(cut)
  return result
}

const withLinks = (output: ToolOutput, { links }: ToolContext): ToolOutput =>
  links.length === 0 ? output : { ...output, blocks: [...(output.blocks ?? []), ...links] }

function withMore(output: ToolOutput, toSay: (text: string) => string | undefined): ToolOutput {
  const { notices = [] } = output
  const more = notices.length === 0 ? undefined : toSay(notices.join(' '))
  return more === undefined ? output : { ...output, notices: [...notices, more] }
}
