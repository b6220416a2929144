import { toolLike } from '../../catalog/other-servers/other-tools.ts'
import { toolsetsNamed } from '../../catalog/policy/presets.ts'
import { ProjectLimit } from '../../engine/project-limit.ts'
import { isToolsetId } from '../../engine/rows/toolset-id.ts'
import { alternativesOf } from '../pattern-alternatives.ts'
import { type Config, entries, projectsIn } from '../schema.ts'
import { isHarmless, tokenHint } from '../shown.ts'
import type { Rule } from './rule.ts'

/*
 * Rules that depend on the names of the existing tools, which are in the rows: the code that checks a configuration
 * passes them in (tools/index.ts).
 */

/**
 * The rules that FORGE_TOOLS must name existing tools, and FORGE_TOOLSETS none. Other wrong entries of FORGE_TOOLSETS
 * are refused by another rule.
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

/** A name, with the name that may be meant; undefined if it is similar to none and may be a secret. */
function withNearest(name: string, tools: readonly string[]): string | undefined {
  if (toolsetsNamed(name).length > 0)
    return `${name} (a ${isToolsetId(name.toLowerCase()) ? 'toolset' : 'preset'}, which FORGE_TOOLSETS takes)`
  const near = toolLike(name, new Set(tools))
  if (near === undefined) return isHarmless(name) ? name : undefined
  return `${name} (${near} may be meant)`
}

/** Notes for the operator on a policy that works, but is probably not what was intended. */
export function toolNotes(
  { FORGE_DENIED_TOOLS_REGEX: pattern, FORGE_PROJECT_ID: project, FORGE_ALLOWED_PROJECT_IDS }: Config,
  tools: readonly string[]
): string[] {
  const notes = pattern === '' ? [] : patternNotes(pattern, tools)
  const [named] = projectsIn(project)
  if (named !== undefined && !new ProjectLimit(projectsIn(FORGE_ALLOWED_PROJECT_IDS)).serves(named))
    notes.push(
      'FORGE_PROJECT_ID is none of FORGE_ALLOWED_PROJECT_IDS, as it is written: calls that name no project are refused.'
    )
  return notes
}

function patternNotes(pattern: string, tools: readonly string[]): string[] {
  const denied = deniedBy(pattern, tools).length
  if (denied === tools.length)
    return ['FORGE_DENIED_TOOLS_REGEX matches the names of all tools: nothing can be called.']
  const idle = alternativesOf(pattern).filter(one => deniedBy(one, tools).length === 0)
  const meant = idle.flatMap(one => nearPattern(one, tools) ?? [])
  const hint = meant.length === 0 ? '' : ` ${meant.join(', ')} may be meant.`
  if (denied === 0)
    return [
      `FORGE_DENIED_TOOLS_REGEX matches the name of no tool: it denies nothing.${whyNone(pattern)}${hint}${tokenHint(pattern)}`
    ]
  const said = idle.filter(isHarmless).join(', ')
  return idle.length === 0
    ? []
    : [`FORGE_DENIED_TOOLS_REGEX: a part of it matches the name of no tool${said && `: ${said}`}.${hint}`]
}

const deniedBy = (pattern: string, tools: readonly string[]): readonly string[] => {
  const regex = new RegExp(pattern)
  return tools.filter(name => regex.test(name))
}

/** The tool whose name a pattern nearly matches, with or without anchors. */
function nearPattern(pattern: string, tools: readonly string[]): string | undefined {
  const [, name] = /^\^?(\w+)\$?$/.exec(pattern) ?? []
  return name === undefined ? undefined : toolLike(name, new Set(tools))
}

/**
 * A hint on a part of a pattern that belongs to another notation, as used in code or in the lists of other variables.
 */
function whyNone(pattern: string): string {
  if (/^\/.*\/[a-z]*$/.test(pattern)) return ' A pattern has no slashes around it, and no flags.'
  if (/,(?![^{]*\})/.test(pattern)) return ' Names are parted by |, not by commas.'
  if (/\s/.test(pattern)) return ' Names have no blanks, and are parted by |.'
  return /[A-Z]/.test(pattern) ? ' Names have small letters alone.' : ''
}
