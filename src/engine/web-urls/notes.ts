import { ArgumentError } from '../../results/problem.ts'
import { argumentsOf } from '../arguments/argument-flags.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolRow } from '../rows/row.ts'
import type { WebUrl } from './web-url.ts'

/* The address of a comment, given to a tool that writes another comment, or that would act on the whole thing. */

/** The tools for comments on one kind of thing; some kinds have no tool to change or remove them. */
interface ForNotes {
  readonly answer: string
  readonly list: string
  readonly change?: string
  readonly remove?: string
}

const ofIssue: ForNotes = {
  answer: 'create_issue_note',
  list: 'list_issue_discussions',
  change: 'update_issue_note',
  remove: 'delete_issue_note'
}
const ofMergeRequest: ForNotes = {
  answer: 'create_merge_request_discussion_note',
  list: 'mr_discussions',
  change: 'update_merge_request_note',
  remove: 'delete_merge_request_note'
}
const ofWorkItem: ForNotes = { answer: 'create_work_item_note', list: 'list_work_item_notes' }

/** The tools for the comment of an address. The work item of a project is an issue with the same number. */
export function toolsOfNote({ kind, owner }: Pick<WebUrl, 'kind' | 'owner'>): ForNotes {
  if (kind === 'merge_request') return ofMergeRequest
  const isIssue = kind === 'issue' || (kind === 'work_item' && owner !== undefined && 'project_path' in owner)
  return isIssue ? ofIssue : ofWorkItem
}

/** Arguments that name the thread a comment replies to. */
const ofThread: readonly string[] = ['discussion_id', 'in_reply_to_discussion_id']

/** The arguments that are the text of a comment. */
export const commentsIn = (input: ToolRow['input']): readonly string[] =>
  Object.entries(argumentsOf(input))
    .filter(([name, { quickActions }]) => quickActions === true && /^(?:body|summary|note)$/.test(name))
    .map(([name]) => name)

const reaction = /^([a-z]+)_(\w+)_emoji_reaction$/

/**
 * Prepares the refusal of the address of a comment, for a new comment that replies to none (it would stand alone), and
 * for a reaction (it would go to the whole thing).
 * @returns undefined for a tool that writes neither; otherwise a function (given, address, args) that throws
 *   ArgumentError, where `given` is the argument with the address
 */
export function noteStep({
  name: tool,
  class: of,
  input
}: Pick<ToolRow, 'name' | 'class' | 'input'>):
  | ((given: string, address: WebUrl, args: Arguments) => void)
  | undefined {
  const has = (name: string) => Object.hasOwn(input.properties, name)
  if (of === 'read' || has('note_id') || has('draft_note_id')) return undefined
  const own = ofThread.filter(has)
  const texts = commentsIn(input)
  const [, verb, noun] = reaction.exec(tool) ?? []
  if (texts.length === 0 && noun === undefined) return undefined
  const refused = (given: string, note: unknown, how: string, other: string) =>
    new ArgumentError(given, `is the address of note ${note}: ${how}; for ${other} leave out #note_${note}`)
  return (given, address, args) => {
    const { note_id: note } = address.fields
    if (note === undefined) return
    if (noun !== undefined)
      throw refused(
        given,
        note,
        `${verb}_${noun}_note_emoji_reaction is for it`,
        `the ${noun.replaceAll('_', ' ')} itself`
      )
    const isGiven = (name: string) => (args[name] ?? '') !== ''
    if (own.some(isGiven) || !texts.some(isGiven)) return
    const { answer, list } = toolsOfNote(address)
    const how =
      own.length === 0 ? `${answer} answers it` : `an answer to it takes ${own.join()}, which ${list} has`
    throw refused(given, note, how, 'a comment of its own')
  }
}
