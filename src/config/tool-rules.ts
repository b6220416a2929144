import { toolLike } from '../catalog/other-tools.ts'
import { toolsetsNamed } from '../catalog/presets.ts'
import { ProjectLimit } from '../engine/project-limit.ts'
import { isToolsetId } from '../engine/rows/toolset-id.ts'
import type { Rule } from './rule.ts'
import { type Config, entries, projectsIn } from './schema.ts'
import { isHarmless, tokenHint } from './shown.ts'

/*
 * Rules that depend on the names of the existing tools, which are in the rows: whoever checks a configuration passes
 * them in (tools/index.ts).
 */

/**
 * The rules that FORGE_TOOLS names existing tools, and FORGE_TOOLSETS none: what else that names is refused by another.
 * @param tools their names
 */
export const toolRules = (tools: readonly string[]): readonly Rule[] => [
  existingTools(tools),
  {
    variables: ['FORGE_TOOLSETS'],
    broken: ({ FORGE_TOOLSETS }) => toolsAmong(FORGE_TOOLSETS, tools).length > 0,
    say: ({ FORGE_TOOLSETS }) =>
      `FORGE_TOOLSETS takes no tools, as FORGE_TOOLS does: ${toolsAmong(FORGE_TOOLSETS, tools).join(', ')}.`
  }
]

const toolsAmong = (toolsets: string, tools: readonly string[]): string[] =>
  entries(toolsets).filter(entry => tools.includes(entry) && toolsetsNamed(entry).length === 0)

const existingTools = (tools: readonly string[]): Rule => {
  // Entries that cannot be a name are refused by another rule.
  const unknown = ({ FORGE_TOOLS }: Config) =>
    entries(FORGE_TOOLS).filter(name => /^\w+$/.test(name) && !tools.includes(name))
  return {
    variables: ['FORGE_TOOLS'],
    broken: config => unknown(config).length > 0,
    say: config => {
      const said = unknown(config)
        .map(name => withNearest(name, tools))
        .filter(name => name !== undefined)
      return `FORGE_TOOLS names unknown tools${said.length === 0 ? '' : `: ${said.join(', ')}`}.`
    }
  }
}

/** A name with what may be meant; undefined if it is like none, and may be a secret. */
function withNearest(name: string, tools: readonly string[]): string | undefined {
  if (toolsetsNamed(name).length > 0)
    return `${name} (a ${isToolsetId(name.toLowerCase()) ? 'toolset' : 'preset'}, which FORGE_TOOLSETS takes)`
  const near = toolLike(name, new Set(tools))
  if (near === undefined) return isHarmless(name) ? name : undefined
  return `${name} (${near} may be meant)`
}

/** Notes for the operator on a policy that works, but is probably not what was wanted. */
export function toolNotes(
  { FORGE_DENIED_TOOLS_REGEX: pattern, FORGE_PROJECT_ID: project, FORGE_ALLOWED_PROJECT_IDS }: Config,
  tools: readonly string[]
): string[] {
  const notes: string[] = []
  const denied = pattern === '' ? undefined : tools.filter(name => new RegExp(pattern).test(name))
  if (denied?.length === 0)
    notes.push(
      `FORGE_DENIED_TOOLS_REGEX matches the name of no tool: it denies nothing.${whyNone(pattern)}${tokenHint(pattern)}`
    )
  if (denied?.length === tools.length)
    notes.push('FORGE_DENIED_TOOLS_REGEX matches the names of all tools: nothing can be called.')
  const [named] = projectsIn(project)
  if (named !== undefined && !new ProjectLimit(projectsIn(FORGE_ALLOWED_PROJECT_IDS)).serves(named))
    notes.push(
      'FORGE_PROJECT_ID is none of FORGE_ALLOWED_PROJECT_IDS, as it is written: calls that name no project are refused.'
    )
  return notes
}

/** What in a pattern belongs to another notation, as used in code or in the lists of other variables. */
function whyNone(pattern: string): string {
  if (/^\/.*\/[a-z]*$/.test(pattern)) return ' A pattern has no slashes around it, and no flags.'
  if (/,(?![^{]*\})/.test(pattern)) return ' Names are parted by |, not by commas.'
  return /[A-Z]/.test(pattern) ? ' Names have small letters alone.' : ''
}
