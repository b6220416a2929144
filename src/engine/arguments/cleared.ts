import type { ToolRow } from '../rows/row.ts'
import { argumentsOf } from './argument-flags.ts'
import { changes } from './emptied.ts'
import type { Arguments } from './values.ts'

/**
 * Prepares the remark of a change on descriptions that were given as an empty text: a forge empties them, and no result
 * shows it, while models fill in arguments they mean to omit. Of several things, the call for each says it.
 * @returns undefined for a tool that changes no such text; else a function of the arguments as read, to sentences
 */
export function clearedStep(row: ToolRow): ((args: Arguments) => readonly string[]) | undefined {
  if (!changes(row)) return undefined
  const texts = Object.entries(argumentsOf(row.input)).flatMap(([name, { quickActions }]) =>
    quickActions === undefined ? [] : [name]
  )
  if (texts.length === 0) return undefined
  return args =>
    texts
      .filter(name => args[name] === '')
      .map(name => `${name} was given as an empty text, which empties it: left out, it stays.`)
}
