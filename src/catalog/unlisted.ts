import type { Tool } from '../engine/tool.ts'
import type { Catalog } from './catalog.ts'
import type { View } from './policy/view.ts'

/** Most characters of a text that are read, and most tools that are mentioned. */
const MAX_CHARS = 4000
const MAX_TOOLS = 4

/** Words that may be names of tools: two parts or more. */
const NAME = /\b[a-z]+(?:_[a-z]+)+\b/g

/**
 * Explains how to get the tools listed that a text names, as a sentence: many clients let a model call only listed
 * tools. Undefined if all of them are listed, or if discover_tools may not be used. If the surface is a search, no tool
 * needs to be listed.
 * @param called the tool that was called, which needs no listing
 */
export function howListed(text: string, called: string, catalog: Catalog, view: View): string | undefined {
  const { policy } = catalog
  const isUsable = (tool: Tool) => policy.refusal(tool, view) === undefined
  const discover = catalog.find('discover_tools')
  if (view.surface === 'search' || discover === undefined || !isUsable(discover)) return undefined
  const named = [...new Set(text.slice(0, MAX_CHARS).match(NAME))].map(name => catalog.find(name))
  const unlisted = named
    .filter(tool => tool !== undefined)
    .filter(
      tool =>
        tool.name !== called && tool.toolset !== undefined && !policy.isListed(tool, view) && isUsable(tool)
    )
    .slice(0, MAX_TOOLS)
  const sentences = [...new Set(unlisted.map(({ toolset }) => toolset))].map(id => {
    const names = unlisted.filter(({ toolset }) => toolset === id).map(({ name }) => name)
    const [are, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them']
    return `${names.join(' and ')} ${are} not listed: discover_tools with category=${id} gives ${them}.`
  })
  return sentences.length === 0 ? undefined : sentences.join(' ')
}
