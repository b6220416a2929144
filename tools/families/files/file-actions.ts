import { type Static, Type } from 'typebox'
import type { Arguments, Check } from '../../../src/engine/arguments/values.ts'
import { checkPath } from '../../../src/engine/requests/template.ts'
import { fileText, flag, noneIfEmpty, oneOf, optional, text } from '../../../src/engine/rows/fields.ts'
import { madeBeside, renaming } from '../../../src/engine/rows/made-names.ts'
import { linesAfter } from '../../../src/engine/suggestions/path-lines.ts'
import { ArgumentError, CallProblem } from '../../../src/results/problem.ts'
import { quotedName } from '../../../src/results/visible.ts'
import { withArticle } from '../../../src/results/with-article.ts'
import { checkContent } from './checked-content.ts'

/* The actions on files in a commit, or in a change to a snippet. */

/** Most characters of one file, as text or base64. The whole call may not be much larger. */
export const MAX_CONTENT_CHARS = 3 * 1024 * 1024
/** Most characters of all edited files of a call. A running commit keeps them in memory until the forge answers. */
export const MAX_EDITED_CHARS = 1024 * 1024

const parts = {
  file_path: renaming('previous_path', madeBeside({ action: ['create', 'move'] }, text())),
  content: optional({
    ...fileText(Type.String({ maxLength: MAX_CONTENT_CHARS, description: 'Whole new text' })),
    // An update may empty a file, but nobody moves a file in order to empty it.
    neverEmptyBeside: { action: ['edit', 'delete', 'move', 'chmod'], edits: 'any' }
  }),
  previous_path: optional(noneIfEmpty(text('Of a move')))
}

/** Other services' names for the two paths of a move, each with the argument to use instead. */
const ofMove = {
  old_path: 'which previous_path is: of a move, file_path is the new one',
  new_path: 'which file_path is: of a move, previous_path is the old one'
}

const inEdits = 'which edits has: edits=[{ find, replace }]'
/**
 * Names of the parts of an edit, ours and those of other services, for callers that put them beside file_path instead
 * of into edits.
 */
const ofEdit = Object.fromEntries(
  ['find', 'search', 'old_str', 'old_string', 'old_text', 'replace', 'new_str', 'new_string', 'new_text'].map(
    name => [name, inEdits]
  )
)

/** One edit: the text to find in a file, and its replacement. */
const Edit = Type.Object({
  find: Type.String({ minLength: 1, isProse: true, description: 'As it stands in the file, and once' }),
  replace: fileText(text()),
  all: optional(flag('Wherever it stands'))
})

export type TextEdit = Static<typeof Edit>

/** The actions of one commit on files, in order. */
export const CommitActions = Type.Array(
  Type.Object(
    {
      action: oneOf(['create', 'update', 'edit', 'delete', 'move', 'chmod']),
      ...parts,
      edits: optional(
        Type.Array(Edit, { minItems: 1, maxItems: 50, description: 'Of an edit, one after the other' })
      ),
      encoding: optional({ ...oneOf(['text', 'base64']), alias: { utf8: 'text', utf_8: 'text' } }),
      execute_filemode: optional(flag('Of chmod')),
      last_commit_id: optional({
        ...text('Optional guard, from get_file_contents: refused once changed'),
        without: 'what changed there since it was read is overwritten'
      })
    },
    { instead: { ...ofMove, ...ofEdit } }
  ),
  { minItems: 1, maxItems: 100 }
)

/** The files of a snippet have no encoding. The forge would ignore one, and store base64 as plain text. */
export const textAlone = 'a snippet holds text alone; commit_files also takes other files'

/** The actions of a change to the files of a snippet. If the snippet has one file, its name may be left out. */
export const SnippetActions = Type.Array(
  Type.Object(
    { action: oneOf(['create', 'update', 'delete', 'move']), ...parts, file_path: optional(parts.file_path) },
    { instead: { encoding: `as ${textAlone}`, ...ofMove } }
  ),
  { minItems: 1, maxItems: 10 }
)

export interface FileAction {
  readonly action?: 'create' | 'update' | 'edit' | 'delete' | 'move' | 'chmod'
  readonly file_path: string
  readonly content?: string
  readonly encoding?: string
  readonly previous_path?: string
  readonly execute_filemode?: boolean
  readonly edits?: readonly TextEdit[]
  readonly last_commit_id?: string
}

type Part = Exclude<keyof FileAction, 'action' | 'file_path'>
type Kind = NonNullable<FileAction['action']>

/**
 * The parts that each action uses. A forge ignores the rest (specification of reach, commit_files;
 * repository/file-modes.ts).
 */
const used: Readonly<Record<Kind, readonly Part[]>> = {
  create: ['content', 'encoding', 'execute_filemode'],
  update: ['content', 'encoding', 'execute_filemode', 'last_commit_id'],
  edit: ['edits', 'execute_filemode', 'last_commit_id'],
  move: ['content', 'encoding', 'previous_path', 'execute_filemode', 'last_commit_id'],
  chmod: ['execute_filemode', 'last_commit_id'],
  delete: ['last_commit_id']
}

const kindOf = (action: Omit<FileAction, 'file_path'>): Kind =>
  isEdit(action) ? 'edit' : (action.action ?? 'create')

/** The given parts of an action that an action of its kind does not use. */
function unusedIn(action: FileAction): readonly Part[] {
  const uses: readonly string[] = used[kindOf(action)]
  return Object.keys(action).filter(
    (part): part is Part => part !== 'action' && part !== 'file_path' && !uses.includes(part)
  )
}

function withoutUnused(action: FileAction): FileAction {
  const unused: readonly string[] = unusedIn(action)
  if (unused.length === 0) return action
  return Object.fromEntries(
    Object.entries(action).filter(([part]) => !unused.includes(part))
  ) as unknown as FileAction
}

const givenIn = (args: Arguments, argument: string): readonly FileAction[] =>
  (args[argument] ?? []) as readonly FileAction[]

/** The actions in an argument, each reduced to the parts it uses. Empty if the argument is not given. */
export const actionsIn = (args: Arguments, argument: string): readonly FileAction[] =>
  givenIn(args, argument).map(withoutUnused)

/**
 * Says which parts were left out because their action does not use them. It does not mention values that clients fill
 * in without meaning anything by them.
 */
export const leftOut =
  (argument: string) =>
  (args: Arguments): string | undefined => {
    const said = givenIn(args, argument).flatMap(action => {
      const parts = unusedIn(action).filter(part => !isFilledIn(action, part))
      return parts.length === 0
        ? []
        : [`${parts.join(' and ')} of the ${kindOf(action)} of ${quotedName(action.file_path)}`]
    })
    if (said.length === 0) return undefined
    const more = said.length > MAX_NAMED ? ` and ${said.length - MAX_NAMED} more` : ''
    return `Left out, as such an action does not use it: ${said.slice(0, MAX_NAMED).join(', ')}${more}.`
  }

/** Values that clients fill in: empty ones, any previous_path, and encoding=text. */
const isFilledIn = (action: FileAction, part: Part): boolean =>
  !action[part] || part === 'previous_path' || (part === 'encoding' && action.encoding === 'text')

/** Whether an action is an edit. An update with edits and no content counts as one. */
export const isEdit = ({ action, edits, content }: Omit<FileAction, 'file_path'>): boolean =>
  action === 'edit' || (action === 'update' && edits !== undefined && content === undefined)

/** Whether an update or a move replaces the whole text of a file with its content. */
export const replacesWhole = ({ action, content, encoding }: FileAction): boolean =>
  (action === 'update' || action === 'move') && encoding !== 'base64' && !!content

/** The part that each action requires, if any. */
const needed: Readonly<Record<Kind, Part | undefined>> = {
  create: 'content',
  update: 'content',
  edit: 'edits',
  move: 'previous_path',
  chmod: 'execute_filemode',
  delete: undefined
}

/** Checks that each action has its required part and valid paths. The forge's own messages do not name the action. */
export const wholeActions =
  (argument: string): Check =>
  args => {
    for (const [at, action] of givenIn(args, argument).entries()) checkAction(`${argument}.${at}`, action)
  }

function checkAction(place: string, action: Omit<FileAction, 'file_path'> & { file_path?: string }): void {
  if (action.file_path !== undefined) checkPath(`${place}.file_path`, action.file_path)
  if (action.previous_path !== undefined) checkPath(`${place}.previous_path`, action.previous_path)
  if (action.action === 'create') checkNoLines(`${place}.file_path`, action.file_path ?? '')
  const kind = kindOf(action)
  const lacks = needed[kind]
  if (lacks !== undefined && action[lacks] === undefined)
    throw new CallProblem(
      `${place} is ${withArticle(action.action ?? '')} and needs ${lacks}${lacks === 'execute_filemode' ? ': true or false' : ''}.`
    )
  if (kind === 'edit' ? action.content !== undefined : action.edits !== undefined)
    throw new CallProblem(`${place} takes edits to edit, and content for anything else.`)
  checkMove(place, action)
  checkEdits(place, action.edits ?? [])
  if (action.content !== undefined && used[kind].includes('content'))
    checkContent(`${place}.content`, action.content, action.encoding)
}

/**
 * Refuses a different previous_path on an action that does not move: the file would stay at that path. A previous_path
 * equal to file_path is accepted, as clients fill it in.
 */
function checkMove(place: string, { action, file_path, previous_path }: Partial<FileAction>): void {
  if (action !== 'move' && (previous_path ?? '') !== '' && previous_path !== file_path)
    throw new CallProblem(
      `${place} is ${withArticle(action ?? '')} and takes no previous_path: a move takes the file from there.`
    )
}

/**
 * Refuses a path for a new file that ends with line numbers, such as "a.ts:10". An existing file may really be called
 * so, but for a new one the lines mostly refer to an existing file, which would be left unchanged.
 */
function checkNoLines(place: string, path: string): void {
  const lines = linesAfter(path)
  if (lines !== undefined)
    throw new ArgumentError(place, `ends with lines, ${quotedName(lines)}: give the path alone`)
}

function checkEdits(place: string, edits: readonly TextEdit[]): void {
  for (const [at, { find, replace }] of edits.entries()) {
    if (find === replace)
      throw new CallProblem(
        `${place}.edits.${at} changes nothing, as find and replace are the same: give in replace what is to stand there, or leave that edit out.`
      )
    checkContent(`${place}.edits.${at}.replace`, replace, undefined)
  }
}

/**
 * Names the files that a change has emptied. Models fill in arguments that they mean to omit, and no result would show
 * it.
 */
export const emptiedFiles =
  (argument: string) =>
  (_: unknown, args: Arguments): string | undefined => {
    const paths = actionsIn(args, argument)
      .filter(({ action, content }) => action === 'update' && content === '')
      .map(({ file_path }) => file_path)
    if (paths.length === 0) return undefined
    const named = paths.slice(0, MAX_NAMED).map(quotedName).join(', ')
    const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : ''
    return `content was given as an empty text, which empties the file: ${named}${more}.`
  }

/** How many files a notice names at most. */
const MAX_NAMED = 10

/**
 * Checks that no file has two actions, unless a move took the file away before the second one (specification of reach,
 * commit_files).
 */
export const oneActionEach =
  (argument: string): Check =>
  args => {
    const taken = new Map<string, FileAction['action']>()
    for (const { action, file_path, previous_path } of actionsIn(args, argument)) {
      const first = taken.get(file_path)
      if (first !== undefined)
        throw new CallProblem(`${quotedName(file_path)} has two actions: ${insteadOfTwo(first, action)}.`)
      if (previous_path !== undefined) taken.delete(previous_path)
      taken.set(file_path, action)
    }
  }

type Action = FileAction['action']

function insteadOfTwo(first: Action, second: Action): string {
  if ((first === 'chmod') !== (second === 'chmod') && first !== 'delete' && second !== 'delete')
    return 'give execute_filemode=true with the other, and execute_filemode=false by a chmod in the next commit'
  return first === 'move'
    ? 'give its whole new content with the move, or change it in the next commit'
    : 'give what it is to be in one'
}
