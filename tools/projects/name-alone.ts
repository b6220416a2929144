import type { Arguments, Check } from '../../src/engine/arguments/values.ts'
import { ArgumentError } from '../../src/results/problem.ts'

/**
 * Callers put the group first, as in the path of a project: a forge refuses that without saying where the group goes.
 * @param instead where it goes @throws ArgumentError for a name or path with a slash
 */
export const nameAlone =
  (instead: string): Check =>
  (args: Arguments) => {
    for (const argument of ['name', 'path'])
      if (String(args[argument] ?? '').includes('/'))
        throw new ArgumentError(argument, `must have no slash: ${instead}`)
  }
