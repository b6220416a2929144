import type { Arguments } from '../../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../../src/engine/context.ts'
import { keepMade } from '../../../src/engine/requests/made-text.ts'
import { elisionsIn, firstNew, looksOfCall } from '../../../src/engine/texts/elisions.ts'
import { hasWindowsEnds, withWindowsEnds } from '../../../src/engine/texts/line-ends.ts'
import { comparable } from '../../../src/engine/texts/stored-texts.ts'
import { allElisions, lossOf, mayBePart } from '../../../src/engine/texts/whole-texts.ts'
import { fewerLines } from '../../../src/results/fewer-lines.ts'
import { ArgumentError } from '../../../src/results/problem.ts'
import { quotedName } from '../../../src/results/visible.ts'
import { actionsIn, type FileAction, replacesWhole, type TextEdit } from './file-actions.ts'
import { isPatch, isPatchFor } from './patch-text.ts'

type Looks = ReturnType<typeof looksOfCall>
type Asked = Pick<ToolContext, 'forge' | 'lookups' | 'maxChars'>

/** What is to be done instead, as sentences without their last full stop. */
interface Instead {
  /** Of a line that stands for others. */
  readonly ofLine: string
  /** Of a part of a file. */
  readonly ofPart: string
  /** Where it is to be all; else what goes with any text. */
  readonly meantPart?: string
}

/** Files of one kind, as a tool changes them. */
interface Files {
  readonly instead: Instead
  /**
   * The tool that shows any of their lines, where they are small and few enough to be read before each update.
   * Otherwise what a commit took tells of lines that are gone (lost-lines.ts).
   */
  readonly shownBy?: string
  /**
   * Gives the text of the file that an action replaces, or undefined where it is not known; what it throws counts as
   * that.
   */
  readonly read: (action: FileAction, args: Arguments, context: Asked) => Promise<string | undefined>
}

/**
 * Prepares the refusal of changes of files by which something would be lost: their text has a line that stands for what
 * was not repeated (engine/texts/elisions.ts), is a patch, or is only the part of the file that a result showed. The
 * file is read for a text that may be such. What is made anew loses nothing, and an edit finds what it replaces.
 * @param argument of actions
 * @returns a step that gives the arguments, where a file that was read keeps its line ends, as with edits, and `said`
 *   what is to be said once it is done, if anything; it throws ArgumentError
 */
export const wholeUpdates =
  (argument: string, files: Files) =>
  async (args: Arguments, context: Asked): Promise<Record<string, unknown>> => {
    const looks = looksOfCall()
    const actions: FileAction[] = []
    const said: string[] = []
    for (const [at, action] of actionsIn(args, argument).entries()) {
      const place = `${argument}.${at}`
      if (!isMarkdown(action.file_path)) checkEdits(`${place}.edits`, action.edits ?? [], looks)
      const call = { args, context, files, looks, said }
      actions.push(replacesWhole(action) ? await checked(place, action, call) : action)
    }
    if (actions.length === 0) return { ...args }
    return { ...args, [argument]: actions, ...(said.length > 0 && { said: said.join(' ') }) }
  }

interface Call {
  readonly args: Arguments
  readonly context: Asked
  readonly files: Files
  readonly looks: Looks
  /** What is to be said once it is done, which is added. */
  readonly said: string[]
}

/** An action whose content replaces a file, which that of a move does, too. */
async function checked(
  place: string,
  action: FileAction,
  { args, context, files, looks, said }: Call
): Promise<FileAction> {
  const { content = '' } = action
  const isText = isMarkdown(action.file_path)
  const elisions = allElisions(content, isText, looks)
  const isDoubtful = mayBePart(content, files.shownBy !== undefined, context)
  const patches = isPatchFor(action)
  if (elisions.length === 0 && !isDoubtful && !patches) return action
  const stored = await context.lookups.within(() => files.read(action, args, context)).catch(() => undefined)
  if (patches) checkPatched(place, action, stored, files.instead)
  const all = stored === undefined ? undefined : comparable([stored])
  const line = firstNew(elisions, all, isText, looks)
  if (line !== undefined)
    throw new ArgumentError(
      `${place}.content`,
      `has the line ${quotedName(line)}, which would be all that stays of what it stands for: ${action.action} replaces the whole file. Nothing was done. ${files.instead.ofLine}`
    )
  const loss = isDoubtful ? lossOf(content, all ?? [], context) : undefined
  if (loss !== undefined)
    throw new ArgumentError(
      `${place}.content`,
      `${loss.lost}, which would be lost: ${action.action} replaces the whole file. Nothing was done. ${files.instead.ofPart}; where they are to go, ${files.instead.meantPart ?? loss.meant}`
    )
  if (stored === undefined) return action
  const { shownBy } = files
  const fewer = shownBy && fewerLines(quotedName(action.file_path), stored, content, shownBy)
  if (fewer) said.push(fewer)
  if (content.includes('\r') || !hasWindowsEnds(stored)) return action
  const kept = withWindowsEnds(content)
  keepMade(kept, context)
  return { ...action, content: kept }
}

/** Refuses a patch in place of what is stored, unless that is one, too. @param stored undefined if it is not known */
function checkPatched(
  place: string,
  { action }: FileAction,
  stored: string | undefined,
  { ofPart, meantPart = 'put a line before it' }: Instead
): void {
  if (stored !== undefined && isPatch(stored)) return
  throw new ArgumentError(
    `${place}.content`,
    `is a patch, which would be all that stays: ${action} replaces the whole file, and applies none. Nothing was done. ${ofPart}; where it is meant, ${meantPart}`
  )
}

function checkEdits(place: string, edits: readonly TextEdit[], looks: Looks): void {
  for (const [at, { find, replace }] of edits.entries()) {
    const line = firstNew([...elisionsIn(replace, false, looks)], [find], false, looks)
    if (line !== undefined) throw lineInEdit(`${place}.${at}.replace`, line)
  }
}

const lineInEdit = (place: string, line: string): ArgumentError =>
  new ArgumentError(
    place,
    `has the line ${quotedName(line)}, which would be in the file instead of what it stands for. Nothing was done. Edit what is before it and after it one by one; where the line is meant, update the file with its content in base64`
  )

/** Files of Markdown that people read, also the rules of agents that are written so. */
const markdownName =
  /\.(?:md|mdx|mdc|markdown|mdown|mkdn?|qmd|rmd)$|(?:^|\/)\.(?:cursor|windsurf|cline)rules$/i

/** Whether a file is Markdown, in which code only quotes, as in a description. */
const isMarkdown = (path: string): boolean => markdownName.test(path)

/**
 * Prepares the refusal of edits of Markdown that put such a line into a file. Only the whole text says which of its
 * lines are code.
 * @returns a function of the place of the edits, of the path of the file, and of its text after and before; it throws
 *   ArgumentError
 */
export function editedMarkdown(): (place: string, path: string, after: string, before: string) => void {
  const looks = looksOfCall()
  return (place, path, after, before) => {
    if (!isMarkdown(path)) return
    const line = firstNew([...elisionsIn(after, true, looks)], [before], true, looks)
    if (line !== undefined) throw lineInEdit(place, line)
  }
}
