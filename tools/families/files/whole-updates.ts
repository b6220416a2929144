import { elisionIn } from '../../../src/engine/arguments/elisions.ts'
import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { ArgumentError } from '../../../src/results/problem.ts'
import { quotedName } from '../../../src/results/visible.ts'
import { actionsIn, type FileAction } from './file-actions.ts'

/**
 * Refuses changes of files whose text has a line that stands for what was not repeated (elisions.ts). What is made anew
 * may hold one, and so may an edit that finds it.
 * @param argument of actions
 * @param instead what to do, as a sentence without its full stop
 * @throws ArgumentError
 */
export const wholeUpdates =
  (argument: string, instead: string) =>
  (args: Arguments): void => {
    for (const [at, action] of actionsIn(args, argument).entries()) {
      checkContent(`${argument}.${at}.content`, action, instead)
      for (const [number, { find, replace }] of (action.edits ?? []).entries()) {
        const line = elisionIn(replace, false)
        if (line !== undefined && !find.includes(line))
          throw new ArgumentError(
            `${argument}.${at}.edits.${number}.replace`,
            `has the line ${quotedName(line)}, which would be in the file instead of what it stands for. Nothing was done. Edit what is before it and after it one by one; where the line is meant, update the file with its content in base64`
          )
      }
    }
  }

/** Content of a move replaces the file, too. */
function checkContent(place: string, { action, content = '', encoding }: FileAction, instead: string): void {
  const line = action === 'create' || encoding === 'base64' ? undefined : elisionIn(content, false)
  if (line !== undefined)
    throw new ArgumentError(
      place,
      `has the line ${quotedName(line)}, which would be all that stays of what it stands for: ${action} replaces the whole file. Nothing was done. ${instead}`
    )
}
