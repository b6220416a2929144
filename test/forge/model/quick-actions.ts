import type { ForgeState } from '../state.ts'
import type { Epic, Issue, MergeRequest, User } from '../types.ts'
import { setClosed } from './closing.ts'

/** What the commands of a note did. */
export interface Outcome {
  /** The note's text without its command lines. */
  rest: string
  changes: Record<string, unknown>
  summary: string[]
}

type Command = (
  state: ForgeState,
  owner: Issue | Epic | MergeRequest,
  argument: string,
  user: User
) => [string, unknown, string]

const noun = (owner: Issue | Epic | MergeRequest) => (owner.kind === 'Issue' ? 'issue' : 'merge request')
const names = (argument: string) =>
  [...argument.matchAll(/~"([^"]+)"|~(\S+)/g)].map(found => found[1] ?? found[2]!)

const COMMANDS: Record<string, Command> = {
  close: (state, owner, _argument, user) => {
    setClosed(state, owner, user, true)
    return ['state_event', 'close', `Closed this ${noun(owner)}.`]
  },
  reopen: (state, owner, _argument, user) => {
    setClosed(state, owner, user, false)
    return ['state_event', 'reopen', `Reopened this ${noun(owner)}.`]
  },
  label: (_state, owner, argument) => {
    owner.labels = [...new Set([...owner.labels, ...names(argument)])]
    return ['add_label_ids', names(argument), `Added ${argument} label.`]
  },
  unlabel: (_state, owner, argument) => {
    owner.labels = owner.labels.filter(label => !names(argument).includes(label))
    return ['remove_label_ids', names(argument), `Removed ${argument} label.`]
  },
  title: (_state, owner, argument) => {
    owner.title = argument
    return ['title', argument, `Changed the title to "${argument}".`]
  },
  assign: (state, owner, argument) => {
    owner.assignees = state.users.filter(user => argument.split(/\s+/).includes(`@${user.username}`))
    return ['assignee_ids', owner.assignees.map(user => user.id), `Assigned ${argument}.`]
  }
}

/** Carries out the lines of a note that are commands and no code (docs: quick actions); the rest stays a note. */
export const runQuickActions = (
  state: ForgeState,
  owner: Issue | Epic | MergeRequest,
  user: User,
  body: string
): Outcome => {
  const outcome: Outcome = { rest: '', changes: {}, summary: [] }
  const kept: string[] = []
  let inCode = false
  for (const line of body.split('\n')) {
    if (line.startsWith('```')) inCode = !inCode
    const [, name = '', argument = ''] = line.match(/^\/([a-z_]+)\s*(.*)$/) ?? []
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (!command || inCode) {
      kept.push(line)
      continue
    }
    const [key, value, sentence] = command(state, owner, argument.trim(), user)
    outcome.changes[key] = value
    outcome.summary.push(sentence)
    owner.updatedAt = state.time()
  }
  outcome.rest = kept.join('\n').trim()
  return outcome
}
