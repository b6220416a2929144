import type { Catalog } from '../catalog/catalog.ts'
import { insteadOfTool, toolLike } from '../catalog/other-servers/other-tools.ts'
import { throughWrong } from '../catalog/policy/surface.ts'
import type { View } from '../catalog/policy/view.ts'
import { howListed } from '../catalog/unlisted.ts'
import type { Tool } from '../engine/tool.ts'
import { shortened } from '../results/shortened.ts'
import { withHint } from './run.ts'

/** Thrown if no toolset has a tool of that name. */
export class UnknownToolError extends Error {
  /** @param hint one sentence on what to call instead */
  constructor(name: string, hint: string) {
    super(`Unknown tool: ${shortened(name, 100)}. ${hint}`)
    this.name = 'UnknownToolError'
  }
}

/**
 * Finds the tool of a call and checks whether this view may run it. Every call passes through here, as every listing
 * passes through `Catalog.list`; both use the same rule.
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
    const usable = catalog.usable(view)
    const searched = through !== name || view.surface === 'search'
    const hint =
      meantBy(name, usable, catalog, view) ??
      (searched ? 'find_tools finds those there are.' : whereListed(catalog, usable, view))
    throw new UnknownToolError(
      name,
      withHint(hint, searched ? undefined : howListed(hint, name, catalog, view))
    )
  }
  const caller = through === name ? undefined : catalog.find(through)
  const refusal =
    catalog.policy.refusal(tool, view) ??
    (caller && catalog.policy.refusal(caller, view)) ??
    throughWrong(through, name, tool.class)
  return { tool, refusal }
}

/**
 * What an unknown name means among the tools that may be called, or why the tool that it means may not be called;
 * undefined if it means nothing.
 */
function meantBy(name: string, usable: readonly Tool[], catalog: Catalog, view: View): string | undefined {
  const all = catalog.names
  // Most unknown names mean nothing, and each further look-up costs time.
  if (insteadOfTool(name, all) === undefined) return undefined
  const hint = insteadOfTool(name, new Set(usable.map(({ name }) => name)))
  if (hint !== undefined) return hint
  const meant = catalog.find(toolLike(name, all) ?? '')
  const refusal = meant && catalog.policy.refusal(meant, view)
  return refusal === undefined
    ? 'No tool that may be called here does that.'
    : `Perhaps ${meant!.name} is meant: ${refusal}`
}

/** Says, in a sentence, where a model sees the existing tools: it cannot send tools/list itself. */
function whereListed({ policy }: Catalog, usable: readonly Tool[], view: View): string {
  const isMore = usable.some(tool => tool.toolset !== undefined && !policy.isListed(tool, view))
  const more = isMore && usable.some(({ name }) => name === 'discover_tools')
  return `See the tools that are listed${more ? '; discover_tools has more' : ''}.`
}
