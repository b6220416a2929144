import type { Catalog, View } from '../catalog/catalog.ts'
import { throughWrong } from '../catalog/surface.ts'
import { explainFailure } from '../results/failure.ts'
import { problemResult, type ResultPolicy, type ToolResult, writeResult } from '../results/result.ts'
import type { ToolContext } from './context.ts'
import { nearest } from './meant.ts'
import type { Tool } from './tool.ts'

/** A fault has no result: it is nothing that the caller could act on. */
export type Run =
  | { readonly outcome: 'ok'; readonly result: ToolResult; readonly error?: undefined }
  | { readonly outcome: 'tool_error'; readonly result: ToolResult; readonly error: unknown }
  | { readonly outcome: 'fault'; readonly error: unknown }

/** No tool of that name exists in any toolset. */
export class UnknownToolError extends Error {
  /** @param near the tool that was most likely meant */
  constructor(name: string, near?: string) {
    const guess = near === undefined ? '' : `. Did you mean ${near}?`
    super(`Unknown tool: ${name.length > 100 ? `${name.slice(0, 100)}…` : name}${guess}`)
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
): { tool: Tool; refusal?: ToolResult } {
  const tool = catalog.find(name)
  if (tool === undefined) {
    const usable = catalog.usable(view).map(({ name }) => name)
    throw new UnknownToolError(name, nearest(name, usable))
  }
  const refusal = catalog.refusal(tool, view) ?? throughWrong(through, name, tool.class)
  return refusal === undefined ? { tool } : { tool, refusal: problemResult(refusal) }
}

/** Runs a tool and turns every failure its caller can act on into a result with isError. Never throws. */
export async function runTool(
  tool: Tool,
  raw: unknown,
  context: ToolContext,
  policy: ResultPolicy
): Promise<Run> {
  const cut = (notice: string) => context.log('notice', notice)
  try {
    const output = await tool.run(raw, context)
    return { result: await context.forge.paced(() => writeResult(output, policy, tool, cut)), outcome: 'ok' }
  } catch (error) {
    const text = explainFailure(error, context.forge.wrote, tool.advice)
    if (text === undefined) return { outcome: 'fault', error }
    return { result: problemResult(text), outcome: 'tool_error', error }
  }
}
