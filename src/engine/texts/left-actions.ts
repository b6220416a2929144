import { distance } from 'fastest-levenshtein'
import { hasSameLetters } from '../../base/nearest.ts'
import { fieldsOf, isRecord } from '../../results/is-record.ts'
import { quoted } from '../../results/visible.ts'
import type { ArgumentSchema } from '../arguments/argument-flags.ts'
import type { Arguments } from '../arguments/values.ts'
import { markedTexts } from './quick-actions.ts'

/**
 * The commands of GitLab (docs: quick actions). Each forge knows some of them, depending on its version and edition.
 */
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

/** The keys with which a forge reports executed commands in `commands_changes` (GitLab: Note#commands_changes). */
const changes: Readonly<Record<string, string>> = {
  add_label_ids: 'label labels relabel',
  assignee_ids: 'assign reassign unassign',
  canonical_issue_id: 'duplicate',
  clone_with_notes: 'clone',
  confidential: 'confidential',
  discussion_locked: 'lock unlock',
  due_date: 'due remove_due_date',
  emoji_award: 'react',
  health_status: 'health_status clear_health_status',
  label_ids: 'label relabel unlabel',
  merge: 'merge',
  milestone_id: 'milestone remove_milestone',
  promote_to_epic: 'promote',
  rebase: 'rebase',
  remove_label_ids: 'unlabel',
  reviewer_ids: 'assign_reviewer reassign_reviewer request_review reviewer unassign_reviewer',
  spend_time: 'spend spend_time spent remove_time_spent',
  state_event: 'close reopen',
  subscription_event: 'subscribe unsubscribe',
  target_branch: 'target_branch',
  time_estimate: 'estimate estimate_time remove_estimate',
  title: 'title',
  todo_event: 'todo done',
  weight: 'weight clear_weight',
  wip_event: 'draft ready'
}

/**
 * Matches a line that is a command with its arguments (a path has a slash after its first name), or that begins or ends
 * a code block. The pattern for blanks excludes line ends, after which `^` matches: otherwise the search would run
 * through all of them again from each one.
 */
const line = /^(?:\/([a-z_]{3,30})(?:[^\S\n][^\n]*)?$|[ \t]*(?:```|~~~))/gm
/**
 * Most characters and texts that are searched, of the sent texts and of the stored ones. Beyond that, nothing is
 * reported: the search runs without a break, and a forge may store anything.
 */
const MAX_CHARS = 100_000
const MAX_TEXTS = 500
/** Most lines of a call that are compared with commands, and most that are reported. */
const MAX_COMPARED = 20
const MAX_TOLD = 3
/** Shorter words are often similar to a command, but mean a path or a command of another program. */
const MIN_CHARS = 5

/** The command that a word is, or is a misspelling of; undefined for other words, which may be no commands at all. */
function commandOf(word: string): string | undefined {
  if (commands.includes(word)) return word
  if (word.length < MIN_CHARS) return undefined
  return commands.find(command => {
    const steps = distance(word, command)
    return steps === 1 || (steps === 2 && hasSameLetters(word, command))
  })
}

interface Found {
  readonly word: string
  /** The command that the word is, or is a misspelling of. */
  readonly command: string
  /** Whether it is still in the stored text. */
  readonly isLeft: boolean
}

const within = (texts: readonly string[]): readonly string[] =>
  texts.length > MAX_TEXTS || texts.reduce((sum, { length }) => sum + length, 0) > MAX_CHARS ? [] : texts

/** Counts each line of a text that may be a command, outside of code. */
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
 * Finds the commands of texts. A command was left in a stored text if it occurs there as often as in the sent text: a
 * forge removes a line that it executes, and leaves the same line in a quote or a comment.
 */
function foundIn(texts: readonly string[], stored: readonly string[]): readonly Found[] {
  const sent = within(texts)
    .flatMap(text => [...linesIn(text)])
    .slice(0, MAX_COMPARED)
  if (sent.length === 0) return []
  const kept = within(stored).map(linesIn)
  return sent.flatMap(([whole, count]) => {
    const word = /\w+/.exec(whole)![0]
    const command = commandOf(word)
    const isLeft = kept.some(lines => (lines.get(whole) ?? 0) >= count)
    return command === undefined ? [] : [{ word, command, isLeft }]
  })
}

const textsOf = (values: readonly unknown[]): readonly string[] =>
  values.filter(value => typeof value === 'string')

/** The texts that a forge has stored in an issue, a merge request, a note, or the notes of a thread. */
function storedIn(value: unknown) {
  const { body, commands_changes, description, notes } = fieldsOf(value)
  const those = Array.isArray(notes) ? notes.map(fieldsOf) : []
  const said = textsOf([body, ...those.map(note => note.body)])
  return {
    texts: [...said, ...textsOf([description])],
    /** Whether it has notes. The records of other things show what was changed. */
    isSaid: said.length > 0 && within(said).length > 0,
    changed: [commands_changes, ...those.map(note => note.commands_changes)].flatMap(of =>
      Object.keys(fieldsOf(of)).flatMap(key => changes[key]?.split(' ') ?? [])
    )
  }
}

const perhaps = ({ command }: Found): string => `but perhaps ${quoted(`/${command}`)}`

const sayLeft = (found: Found): string =>
  found.word === found.command
    ? `${quoted(`/${found.word}`)} stayed text: the forge has no such quick action here.`
    : `${quoted(`/${found.word}`)} stayed text: the forge has no such quick action, ${perhaps(found)}.`

const sayGone = ({ word }: Found): string =>
  `${quoted(`/${word}`)} was taken as a quick action: the forge does not say whether it worked.`

/** The words for texts that the forge does not return: what happens to a command, and to a line that is none. */
const saysOfUnseen = {
  published: ['is carried out once the draft is published, which', 'stays'],
  unseen: ['was given to the forge as a quick action, which', 'stayed']
} as const

/**
 * Why a forge does not show which quick actions it recognized: the text is a draft, whose actions are executed when it
 * is published, or the answer has no text.
 */
export type HiddenActions = keyof typeof saysOfUnseen

const sayHidden =
  (where: HiddenActions) =>
  (found: Found): string => {
    const [done, stays] = saysOfUnseen[where]
    return found.word === found.command
      ? `${quoted(`/${found.word}`)} ${done} does not say whether it worked.`
      : `${quoted(`/${found.word}`)} ${stays} text: the forge has no such quick action, ${perhaps(found)}.`
  }

/**
 * Prepares the remark on quick actions that a forge took for text: it stores them without a message. The remark also
 * covers those that it removed from a note although they changed nothing; none that it reports as executed.
 * @param input of a tool
 * @param hidden the reason why its answers do not show what was stored, if they do not
 * @returns undefined for a tool without such texts; otherwise a function (args, value) that returns a sentence for each
 *   command that may not have been executed; `value` is the record after the change
 */
export function leftActionsStep(
  input: ArgumentSchema,
  hidden?: HiddenActions
): ((args: Arguments, value: unknown) => readonly string[]) | undefined {
  const texts = markedTexts(input)
  if (texts === undefined) return undefined
  const sent = (args: Arguments) => texts(args).map(([, text]) => text)
  const few = (said: readonly string[]) => [...new Set(said)].slice(0, MAX_TOLD)
  if (hidden !== undefined) {
    const say = sayHidden(hidden)
    return args => few(foundIn(sent(args), []).map(say))
  }
  return (args, value) => {
    if (!isRecord(value)) return []
    const { changed, isSaid, texts } = storedIn(value)
    const found = foundIn(sent(args), texts)
    const open = found.filter(({ command, word }) => word !== command || !changed.includes(command))
    const left = open.filter(({ isLeft }) => isLeft)
    const gone = open.filter(({ command, isLeft, word }) => isSaid && !isLeft && word === command)
    return few([...left.map(sayLeft), ...gone.map(sayGone)])
  }
}
