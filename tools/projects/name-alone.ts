import type { Arguments, Check } from '../../src/engine/arguments/values.ts'
import { ArgumentError } from '../../src/results/problem.ts'

/**
 * Refuses a name or path that contains a slash. Callers put the group first, as in the path of a project. A forge
 * refuses that without saying where the group goes.
 * @param instead which argument takes the group
 * @returns a check that throws ArgumentError
 */
export const nameAlone =
  (instead: string): Check =>
  (args: Arguments) => {
    for (const argument of ['name', 'path'])
      if (String(args[argument] ?? '').includes('/'))
        throw new ArgumentError(argument, `must have no slash: ${instead}`)
  }
