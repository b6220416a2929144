import { distance } from 'fastest-levenshtein'
import { hasSameLetters } from '../../base/nearest.ts'
import { fieldsOf, isRecord } from '../../results/is-record.ts'
import { quoted } from '../../results/visible.ts'
import type { ArgumentSchema } from './argument-flags.ts'
import { markedTexts } from './quick-actions.ts'
import type { Arguments } from './values.ts'

/** The commands of GitLab (docs: quick actions), of which a forge knows some, by its version and edition. */
const commands: readonly string[] = `
  add_child add_contacts add_email approve assign assign_reviewer blocked_by blocks board_move checkin_reminder
  clear_health_status clear_weight clone close confidential convert_to_ticket copy_metadata create_merge_request
  done draft due duplicate epic estimate estimate_time health_status iteration label link lock merge milestone
  move promote promote_to promote_to_incident publish react ready reassign rebase reassign_reviewer relabel
  relate remove_child remove_due_date remove_epic remove_estimate remove_iteration remove_milestone remove_parent
  remove_time_spent reopen request_review reviewer set_parent severity spend spend_time spent status
  submit_review subscribe target_branch timeline title todo type unapprove unassign unassign_reviewer unlabel
  unlink unlock unsubscribe weight zoom`
  .trim()
  .split(/\s+/)

/**
 * A line that is a command, with what is given to it (a path goes on behind its first name), or one that begins or ends
 * a code block. Its blanks must be none after which `^` matches: the search would run through them from each one.
 */
const line = /^(?:\/([a-z_]{3,30})(?:[^\S\n][^\n]*)?$|[ \t]*(?:```|~~~))/gm
/**
 * Most characters and texts that are looked through, of what was sent and of what was stored: of more nothing is told, as
 * it is done without a break, and a forge may store anything.
 */
const MOST_CHARS = 100_000
const MOST_TEXTS = 500
/** Most lines of a call that are compared with commands, and most that are told. */
const MOST_COMPARED = 20
const MOST_TOLD = 3
/** Words of fewer characters are often near a command, and mean a path or another program's command. */
const FEWEST_CHARS = 5

/** The command that a word is, or is misspelt; undefined for others, which may be no commands at all. */
function commandOf(word: string): string | undefined {
  if (commands.includes(word)) return word
  if (word.length < FEWEST_CHARS) return undefined
  return commands.find(command => {
    const steps = distance(word, command)
    return steps === 1 || (steps === 2 && hasSameLetters(word, command))
  })
}

interface Left {
  readonly word: string
  readonly command: string
}

const within = (texts: readonly string[]): readonly string[] =>
  texts.length > MOST_TEXTS || texts.reduce((sum, { length }) => sum + length, 0) > MOST_CHARS ? [] : texts

/** How often each line of a text that may be a command is there outside of code. */
function linesIn(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  let isCode = false
  for (const { 0: whole, 1: word } of text.replaceAll('\r', '').matchAll(line)) {
    if (word === undefined) isCode = !isCode
    else if (!isCode) counts.set(whole.trimEnd(), (counts.get(whole.trimEnd()) ?? 0) + 1)
  }
  return counts
}

/**
 * The commands of texts that are still in one of them as they were stored: there as often as in what was sent, for a
 * forge takes out a line that it carries out and leaves the same one in a quote or a comment.
 */
function leftIn(texts: readonly string[], stored: readonly string[]): readonly Left[] {
  const sent = within(texts)
    .flatMap(text => [...linesIn(text)])
    .slice(0, MOST_COMPARED)
  if (sent.length === 0) return []
  const kept = within(stored).map(linesIn)
  return sent.flatMap(([whole, count]) => {
    const word = /\w+/.exec(whole)![0]
    const command = kept.some(lines => (lines.get(whole) ?? 0) >= count) ? commandOf(word) : undefined
    return command === undefined ? [] : [{ word, command }]
  })
}

/** The texts of what a forge has stored: of a note, an issue or a merge request, or of the notes of a thread. */
function storedTexts(value: unknown): readonly string[] {
  const { body, description, notes } = fieldsOf(value)
  const bodies = Array.isArray(notes) ? notes.map(note => fieldsOf(note).body) : []
  return [body, description, ...bodies].filter(text => typeof text === 'string')
}

const say = ({ word, command }: Left): string =>
  word === command
    ? `${quoted(`/${word}`)} stayed text: the forge has no such quick action here.`
    : `${quoted(`/${word}`)} stayed text: the forge has no such quick action, but perhaps ${quoted(`/${command}`)}.`

/**
 * Prepares the remark on quick actions that a forge took for text: it stores them, and says nothing.
 * @param input of a tool
 * @returns undefined for a tool without such texts; otherwise a function of the arguments and the record as it is
 *   after the change, which says which lines are still in it
 */
export function leftActionsStep(
  input: ArgumentSchema
): ((args: Arguments, value: unknown) => readonly string[]) | undefined {
  const texts = markedTexts(input)
  if (texts === undefined) return undefined
  return (args, value) => {
    if (!isRecord(value)) return []
    const sent = texts(args).map(([, text]) => text)
    const left = leftIn(sent, storedTexts(value))
    return [...new Set(left.map(say))].slice(0, MOST_TOLD)
  }
}
