import { type Elision, elisionsIn, firstNew, looksOfCall } from '../../../src/engine/arguments/elisions.ts'
import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { allElisions, lostOf, mayBePart } from '../../../src/engine/arguments/whole-texts.ts'
import type { ToolContext } from '../../../src/engine/context.ts'
import { ArgumentError } from '../../../src/results/problem.ts'
import { quotedName } from '../../../src/results/visible.ts'
import { actionsIn, type FileAction, type TextEdit } from './file-actions.ts'

type Looks = ReturnType<typeof looksOfCall>
type Asked = Pick<ToolContext, 'forge' | 'looks' | 'maxChars'>

/** What is to be done instead, as sentences without their last full stop. */
interface Instead {
  /** Of a line that stands for others. */
  readonly ofLine: string
  /** Of a part of a file. */
  readonly ofPart: string
}

/**
 * Prepares the refusal of changes of files by which something would be lost: their text has a line that stands for what
 * was not repeated (elisions.ts), or is only the part of the file that a result showed. The file is read for a text that
 * may be such. What is made anew loses nothing, and an edit finds what it replaces.
 * @param argument of actions
 * @param read gives the text of the file that an action replaces, or undefined where it is not known; what it throws
 *   counts as that
 * @returns a step that throws ArgumentError
 */
export const wholeUpdates =
  (
    argument: string,
    instead: Instead,
    read: (action: FileAction, args: Arguments, context: Asked) => Promise<string | undefined>
  ) =>
  async (args: Arguments, context: Asked): Promise<void> => {
    const looks = looksOfCall()
    const looksAtFound = looksOfCall()
    for (const [at, action] of actionsIn(args, argument).entries()) {
      const place = `${argument}.${at}`
      checkEdits(`${place}.edits`, action.edits ?? [], looks, looksAtFound)
      const { content = '', encoding } = action
      if (action.action === 'create' || encoding === 'base64') continue
      const elisions = allElisions(content, false, looks)
      if (elisions.length === 0 && !mayBePart(content, context)) continue
      const stored = await context.looks.within(() => read(action, args, context)).catch(() => undefined)
      checkContent(`${place}.content`, action, { elisions, stored, instead }, mayBePart(content, context))
    }
  }

interface Compared {
  readonly elisions: readonly Elision[]
  readonly stored: string | undefined
  readonly instead: Instead
}

/** Content of a move replaces the file, too. */
function checkContent(
  place: string,
  { action, content = '' }: FileAction,
  { elisions, stored, instead }: Compared,
  isLong: boolean
): void {
  const all = stored === undefined ? undefined : [stored]
  const line = firstNew(elisions, all, false)
  if (line !== undefined)
    throw new ArgumentError(
      place,
      `has the line ${quotedName(line)}, which would be all that stays of what it stands for: ${action} replaces the whole file. Nothing was done. ${instead.ofLine}`
    )
  const lost = isLong ? lostOf(content, all ?? []) : undefined
  if (lost !== undefined)
    throw new ArgumentError(
      place,
      `${lost}, which would be lost: ${action} replaces the whole file. Nothing was done. ${instead.ofPart}`
    )
}

function checkEdits(place: string, edits: readonly TextEdit[], looks: Looks, looksAtFound: Looks): void {
  for (const [at, { find, replace }] of edits.entries()) {
    const line = firstNew([...elisionsIn(replace, false, looks)], [find], false, looksAtFound)
    if (line !== undefined)
      throw new ArgumentError(
        `${place}.${at}.replace`,
        `has the line ${quotedName(line)}, which would be in the file instead of what it stands for. Nothing was done. Edit what is before it and after it one by one; where the line is meant, update the file with its content in base64`
      )
  }
}
