import type { Catalog } from '../catalog/catalog.ts'
import { throughWrong } from '../catalog/surface.ts'
import type { View } from '../catalog/view.ts'
import { explainFailure, isOverflow } from '../results/failure.ts'
import type { ResultPolicy, ToolOutput, ToolResult } from '../results/result.ts'
import { shortened } from '../results/shortened.ts'
import { UnreadAnswer } from '../upstream/answers/unread.ts'
import { isOfOddValue, OddAnswer } from '../upstream/errors.ts'
import type { ToolContext } from './context.ts'
import { otherWay, toolLike, toolMeant } from './other-tools.ts'
import type { Tool } from './tool.ts'

/**
 * Writes what a tool gives back for whoever asked for it.
 * @param onCut told of what does not fit, as the result is
 */
export interface Writer<Written> {
  write(output: ToolOutput, policy: ResultPolicy, tool: Tool, onCut: (notice: string) => void): Written
  /**
   * Makes the same of the result that a call gets, where that was written elsewhere. Without it the value is read
   * first.
   */
  of?(result: ToolResult, output: ToolOutput): Written
}

/**
 * A problem is for the caller to put right, in words for it; a fault is nothing that the caller could act on. What is
 * ok has an error where a part of it failed.
 */
export type Run<Written> =
  | { readonly outcome: 'ok'; readonly result: Written; readonly error?: unknown }
  | { readonly outcome: 'tool_error'; readonly problem: string; readonly error: unknown }
  | { readonly outcome: 'fault'; readonly error: unknown }

/** No tool of that name exists in any toolset. */
export class UnknownToolError extends Error {
  /** @param hint one sentence on what to call instead */
  constructor(name: string, hint: string) {
    super(`Unknown tool: ${shortened(name, 100)}. ${hint}`)
    this.name = 'UnknownToolError'
  }
}

/**
 * Finds the tool of a call and tells whether this view may run it: the one choke point for calls, as
 * `Catalog.list` is for listing, both over the same rule.
 * @param through the tool that the client called, which may be one that calls others
 * @throws UnknownToolError
 */
export function findTool(
  catalog: Catalog,
  name: string,
  view: View,
  through: string
): { tool: Tool; refusal: string | undefined } {
  const tool = catalog.find(name)
  if (tool === undefined) {
    const usable = catalog.usable(view).map(({ name }) => name)
    const names = new Set(usable)
    const way = toolMeant(name, names) === undefined ? otherWay(name, names) : undefined
    const near = toolLike(name, usable)
    const lists = through === name ? 'tools/list' : 'find_tools'
    throw new UnknownToolError(
      name,
      way ?? (near === undefined ? `${lists} has those there are.` : `Did you mean ${near}?`)
    )
  }
  const caller = through === name ? undefined : catalog.find(through)
  const refusal =
    catalog.policy.refusal(tool, view) ??
    (caller && catalog.policy.refusal(caller, view)) ??
    throughWrong(through, name, tool.class)
  return { tool, refusal }
}

/** Runs a tool and turns every failure its caller can act on into words. Never throws. */
export async function runTool<Written>(
  tool: Tool,
  raw: unknown,
  context: ToolContext,
  policy: ResultPolicy,
  writer: Writer<Written>
): Promise<Run<Written>> {
  const cut = (notice: string) => context.log('notice', notice)
  try {
    const output = withLinks(await tool.run(raw, context), context)
    const { value } = output
    if (value instanceof UnreadAnswer && writer.of !== undefined)
      return {
        result: writer.of(await writtenElsewhere(value, output, policy, tool, cut), output),
        outcome: 'ok'
      }
    const whole = value instanceof UnreadAnswer ? { ...output, value: await value.value() } : output
    const written = context.forge.paced(() => writer.write(whole, policy, tool, cut))
    return {
      result: written instanceof Promise ? await written : written,
      outcome: 'ok',
      error: output.failed
    }
  } catch (thrown) {
    const error = oddOr(thrown, context)
    const problem = explainFailure(error, context.forge.wrote, tool.advice)
    return problem === undefined ? { outcome: 'fault', error } : { problem, outcome: 'tool_error', error }
  }
}

/**
 * Rows read what forges are known to answer. Where one answers something else, and reading that fails, it is told as
 * the answer's fault, here for all of them; before anything was answered it is this service's own.
 */
const oddOr = (thrown: unknown, { forge }: ToolContext): unknown =>
  forge.answered && isOfOddValue(thrown) && !isOverflow(thrown) ? new OddAnswer(thrown) : thrown

/** The result of a large answer that is only shown. */
async function writtenElsewhere(
  answer: UnreadAnswer,
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
