import type { Arguments } from '../../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../../src/engine/context.ts'
import { keepMade } from '../../../src/engine/requests/made-text.ts'
import {
  type ElisionBudget,
  elisionBudget,
  elisionsIn,
  firstNew
} from '../../../src/engine/texts/elisions.ts'
import { hasWindowsEnds, withWindowsEnds } from '../../../src/engine/texts/line-ends.ts'
import { comparable } from '../../../src/engine/texts/stored-texts.ts'
import { allElisions, lossOf, mayBePart } from '../../../src/engine/texts/whole-texts.ts'
import { fewerLines } from '../../../src/results/fewer-lines.ts'
import { ArgumentError } from '../../../src/results/problem.ts'
import { quotedName } from '../../../src/results/visible.ts'
import { actionsIn, type FileAction, replacesWhole, type TextEdit } from './file-actions.ts'
import { isPatch, isPatchFor } from './patch-text.ts'

type Asked = Pick<ToolContext, 'forge' | 'lookups' | 'maxChars'>

/** Advice for a refused change, as sentences without their last full stop. */
interface Instead {
  /** For a line that stands for others. */
  readonly ofLine: string
  /** For content that is only part of the file. */
  readonly ofPart: string
  /** For content that is meant as the whole text. If it is missing, advice that fits any text is given. */
  readonly meantPart?: string
}

/** The files that a tool changes, and how it reads them. */
interface Files {
  readonly instead: Instead
  /**
   * The tool that shows any lines of the files. It is set where the files are small and few enough to be read before
   * each update. Without it, the line counts of the finished commit reveal lost lines (repository/lost-lines.ts).
   */
  readonly shownBy?: string
  /**
   * Reads the text of the file that an action replaces. It gives undefined if the text is not known; an error counts as
   * that.
   */
  readonly read: (action: FileAction, args: Arguments, context: Asked) => Promise<string | undefined>
}

/**
 * Prepares a check that refuses changes by which text would be lost. The new text has a line that stands for text which
 * was not repeated (engine/texts/elisions.ts), is a patch, or is only the part of the file that a result showed. The
 * stored file is read only if the new text looks like one of these. New files lose nothing, and an edit names the text
 * that it replaces.
 * @param argument the one that has the actions
 * @returns a function (args, context) that gives the arguments to send and throws ArgumentError. Files that were read
 * keep their line ends, as with edits. `said` is added if there is something to tell after the change
 */
export const wholeUpdates =
  (argument: string, files: Files) =>
  async (args: Arguments, context: Asked): Promise<Record<string, unknown>> => {
    const budget = elisionBudget()
    const actions: FileAction[] = []
    const said: string[] = []
    for (const [at, action] of actionsIn(args, argument).entries()) {
      const place = `${argument}.${at}`
      if (!isMarkdown(action.file_path)) checkEdits(`${place}.edits`, action.edits ?? [], budget)
      const call = { args, context, files, budget, said }
      actions.push(replacesWhole(action) ? await checked(place, action, call) : action)
    }
    if (actions.length === 0) return { ...args }
    return { ...args, [argument]: actions, ...(said.length > 0 && { said: said.join(' ') }) }
  }

interface Call {
  readonly args: Arguments
  readonly context: Asked
  readonly files: Files
  readonly budget: ElisionBudget
  /** Sentences to tell after the change. The check adds to them. */
  readonly said: string[]
}

/** Checks an action that replaces the content of a file, which a move may do, too. */
async function checked(
  place: string,
  action: FileAction,
  { args, context, files, budget, said }: Call
): Promise<FileAction> {
  const { content = '' } = action
  const isText = isMarkdown(action.file_path)
  const elisions = allElisions(content, isText, budget)
  const isDoubtful = mayBePart(content, files.shownBy !== undefined, context)
  const patches = isPatchFor(action)
  if (elisions.length === 0 && !isDoubtful && !patches) return action
  const stored = await context.lookups.within(() => files.read(action, args, context)).catch(() => undefined)
  if (patches) checkPatched(place, action, stored, files.instead)
  const all = stored === undefined ? undefined : comparable([stored])
  const line = firstNew(elisions, all, isText, budget)
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

/**
 * Refuses a patch as new content, unless the stored text is a patch as well.
 * @param stored undefined if it is not known
 */
function checkPatched(
  place: string,
  { action }: FileAction,
  stored: string | undefined,
  { ofPart, meantPart = 'put a line before it, or name the file .patch or .diff' }: Instead
): void {
  if (stored !== undefined && isPatch(stored)) return
  const stays =
    stored === undefined
      ? 'may be all that stays, as what is stored could not be read'
      : 'would be all that stays'
  throw new ArgumentError(
    `${place}.content`,
    `is a patch, which ${stays}: ${action} replaces the whole file, and applies none. Nothing was done. ${ofPart}; where it is meant, ${meantPart}`
  )
}

function checkEdits(place: string, edits: readonly TextEdit[], budget: ElisionBudget): void {
  for (const [at, { find, replace }] of edits.entries()) {
    const line = firstNew([...elisionsIn(replace, false, budget)], [find], false, budget)
    if (line !== undefined) throw lineInEdit(`${place}.${at}.replace`, line)
  }
}

const lineInEdit = (place: string, line: string): ArgumentError =>
  new ArgumentError(
    place,
    `has the line ${quotedName(line)}, which would be in the file instead of what it stands for. Nothing was done. Edit what is before it and after it one by one; where the line is meant, update the file with its content in base64`
  )

/** Markdown files that people read, and the rule files of agents, which are written in Markdown. */
const markdownName =
  /\.(?:md|mdx|mdc|markdown|mdown|mkdn?|qmd|rmd)$|(?:^|\/)\.(?:cursor|windsurf|cline)rules$/i

/** Whether a file is Markdown. There, as in a description, code blocks are only quotations. */
const isMarkdown = (path: string): boolean => markdownName.test(path)

/**
 * Prepares a check that refuses edits of Markdown which put a line that stands for others into a file. Only the whole
 * text shows which of its lines are code.
 * @returns a function (place, path, after, before) that throws ArgumentError; place is that of the edits, after and
 * before are the text of the file
 */
export function editedMarkdown(): (place: string, path: string, after: string, before: string) => void {
  const budget = elisionBudget()
  return (place, path, after, before) => {
    if (!isMarkdown(path)) return
    const line = firstNew([...elisionsIn(after, true, budget)], [before], true, budget)
    if (line !== undefined) throw lineInEdit(place, line)
  }
}
