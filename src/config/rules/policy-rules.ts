import { nearest } from '../../base/nearest.ts'
import { presets, toolsetsNamed } from '../../catalog/policy/presets.ts'
import { toolsetIds } from '../../engine/rows/toolset-id.ts'
import { toolsetOfWord } from '../../engine/rows/toolset-words.ts'
import { type Config, entries } from '../schema.ts'
import { insteadOfEntries, isHarmless, tokenHint } from '../shown.ts'
import { entriesRule, type Rule } from './rule.ts'

/** The id or path of a project, as callers give it: an entry of another form would never match. */
export const projectPattern = /^[^\s\p{C},;:*/[\]"'](?:[^\s\p{C},;:*[\]"']*[^\s\p{C},;:*/[\]"'])?$/u

/** Whether an entry is only the name of a project, by which no forge finds it. */
const isLoneName = (project: string): boolean => !/^\d+$|\/|%2f/i.test(project)

/** Rules that refuse values of the variables about tools and projects. */
export const policyRules: readonly Rule[] = [
  entriesRule(
    'FORGE_TOOLSETS',
    entry => toolsetsNamed(entry).length > 0,
    `FORGE_TOOLSETS may list ${toolsetIds.join(', ')}, or a preset: ${Object.keys(presets).join(', ')}.`,
    entry => toolsetOfWord(entry) ?? nearest(entry, [...toolsetIds, ...Object.keys(presets)]),
    entry => {
      const id = toolsetOfWord(entry)
      return id && `${entry} is in ${id}.`
    }
  ),
  entriesRule(
    'FORGE_TOOLS',
    entry => /^\w+$/.test(entry),
    'FORGE_TOOLS must list names of tools.',
    entry => (/^\w+(?:-\w+)+$/.test(entry) && isHarmless(entry) ? entry.replaceAll('-', '_') : undefined),
    entry =>
      entry.includes('*') ? 'A name has no wildcard: FORGE_TOOLSETS takes whole toolsets.' : undefined
  ),
  entriesRule(
    'FORGE_ALLOWED_PROJECT_IDS',
    entry => projectPattern.test(entry),
    'FORGE_ALLOWED_PROJECT_IDS must list ids or full paths of projects, such as group/project.',
    undefined,
    projectHint
  ),
  {
    variables: ['FORGE_PROJECT_ID'],
    broken: ({ FORGE_PROJECT_ID }) => FORGE_PROJECT_ID !== '' && !projectPattern.test(FORGE_PROJECT_ID),
    say: ({ FORGE_PROJECT_ID }) =>
      [
        `FORGE_PROJECT_ID must be the id or full path of one project, such as group/project${insteadOfEntries(entries(FORGE_PROJECT_ID))}.`,
        projectHint(FORGE_PROJECT_ID)
      ]
        .filter(part => part !== undefined)
        .join(' ')
  },
  {
    variables: ['FORGE_DENIED_TOOLS_REGEX'],
    broken: ({ FORGE_DENIED_TOOLS_REGEX }) => FORGE_DENIED_TOOLS_REGEX.includes('\\|'),
    say: () =>
      'FORGE_DENIED_TOOLS_REGEX has \\|, which matches a literal bar. If you copied it from a Markdown table, remove the backslash.'
  },
  {
    variables: ['FORGE_DENIED_TOOLS_REGEX'],
    broken: ({ FORGE_DENIED_TOOLS_REGEX }) => patternFault(FORGE_DENIED_TOOLS_REGEX) !== undefined,
    say: ({ FORGE_DENIED_TOOLS_REGEX: pattern }) =>
      `FORGE_DENIED_TOOLS_REGEX must be a regular expression${insteadOfEntries([pattern])} (${patternFault(pattern)}).${patternHint(pattern)}`
  }
]

/** A hint on a part of an entry that does not belong to a project. */
function projectHint(entry: string): string | undefined {
  if (/^https?:/i.test(entry)) return 'A project is its path alone, without the address of the forge.'
  if (entry.includes('*')) return oneByOne
  return /\p{C}/u.test(entry) ? 'One has a character that is not seen: write it anew.' : undefined
}

const oneByOne = 'Groups and wildcards are not taken: list each project.'

/** A hint on a part of a pattern that belongs to another notation. */
function patternHint(pattern: string): string {
  if (/^\(\?[a-z]+\)/.test(pattern)) return ' It has no flags in front, and names have small letters alone.'
  return pattern.startsWith('*') ? ' It is found anywhere in a name, so that no * belongs around it.' : ''
}

/** Why a pattern is not a regular expression, in the engine's words but without the pattern, which may be a secret. */
function patternFault(source: string): string | undefined {
  try {
    new RegExp(source)
    return undefined
  } catch (error) {
    return (error as Error).message.split(': ').at(-1)
  }
}

/** Notes on values of these variables that have no useful effect, but do not keep the service from starting. */
export const policyNotes = (config: Config): string[] =>
  (['FORGE_PROJECT_ID', 'FORGE_ALLOWED_PROJECT_IDS'] as const).flatMap(variable =>
    entries(config[variable])
      .filter(isLoneName)
      .map(
        name =>
          `${variable} has ${isHarmless(name) ? `${JSON.stringify(name)}, ` : ''}the name of a project alone, by which no forge finds it: write its id or full path, such as group/${isHarmless(name) ? name : 'project'}.${variable === 'FORGE_PROJECT_ID' ? '' : ` ${oneByOne}`}${tokenHint(name)}`
      )
  )
