import { elisionIn, looksOfCall } from '../../../src/engine/arguments/elisions.ts'
import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { ArgumentError } from '../../../src/results/problem.ts'
import { quotedName } from '../../../src/results/visible.ts'
import { actionsIn, type FileAction, type TextEdit } from './file-actions.ts'

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
    const looks = looksOfCall()
    const elision = (text: string) => elisionIn(text, false, looks)
    for (const [at, action] of actionsIn(args, argument).entries()) {
      checkContent(`${argument}.${at}`, action, elision, instead)
      checkEdits(`${argument}.${at}.edits`, action.edits ?? [], elision)
    }
  }

/** Finds the line in a text. */
type Elision = (text: string) => string | undefined

/** Content of a move replaces the file, too. */
function checkContent(place: string, action: FileAction, elision: Elision, instead: string): void {
  const { content = '', encoding } = action
  const line = action.action === 'create' || encoding === 'base64' ? undefined : elision(content)
  if (line !== undefined)
    throw new ArgumentError(
      `${place}.content`,
      `has the line ${quotedName(line)}, which would be all that stays of what it stands for: ${action.action} replaces the whole file. Nothing was done. ${instead}`
    )
}

function checkEdits(place: string, edits: readonly TextEdit[], elision: Elision): void {
  for (const [at, { find, replace }] of edits.entries()) {
    const line = elision(replace)
    if (line !== undefined && !find.includes(line))
      throw new ArgumentError(
        `${place}.${at}.replace`,
        `has the line ${quotedName(line)}, which would be in the file instead of what it stands for. Nothing was done. Edit what is before it and after it one by one; where the line is meant, update the file with its content in base64`
      )
  }
}
