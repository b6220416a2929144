import { logNotes } from './log-notes.ts'
import { startNotes } from './rules.ts'
import type { Config, Variable } from './schema.ts'
import { policyVariables } from './settings-file.ts'
import { toolNotes } from './tool-rules.ts'

/**
 * All notes for the operator on a configuration that is taken.
 * @param tools names of all tools; without them, nothing is said of patterns of names
 * @param changed the variables that are not as they were; undefined at the start
 */
export function notesOn(
  config: Config,
  tools: readonly string[] | undefined,
  changed: readonly Variable[] | undefined
): string[] {
  const ofTools = tools === undefined ? [] : toolNotes(config, tools)
  if (changed === undefined) return [...startNotes(config), ...ofTools]
  return [
    ...(changed.includes('LOG_LEVEL') ? logNotes(config) : []),
    ...(policyVariables.some(variable => changed.includes(variable)) ? ofTools : [])
  ]
}
