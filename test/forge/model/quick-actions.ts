import type { ForgeState } from '../state.ts'
import type { Epic, Issue, MergeRequest, User } from '../types.ts'
import { setClosed } from './closing.ts'
import { isCalled } from './filters.ts'
import { groupsAbove, humanTime, secondsOf } from './plans.ts'
import { assign } from './todos.ts'

/** What the quick actions of a note did. */
interface Outcome {
  /** The note's text without its command lines. */
  rest: string
  changes: Record<string, unknown>
  summary: string[]
}

type Owner = Issue | Epic | MergeRequest

interface Given {
  state: ForgeState
  user: User
  argument: string
}

/** The changed field, its value and a sentence. If nothing was changed, only a sentence or nothing. */
type Command = (owner: Owner, given: Given) => [string, unknown, string] | string | undefined

const noun = (owner: Owner) => (owner.kind === 'Issue' ? 'issue' : 'merge request')
const placeOf = (owner: Owner) => ('project' in owner ? owner.project : owner.group)

/** Those of the named labels that exist. */
const labelsIn = (owner: Owner, argument: string): string[] => {
  const names = [...argument.matchAll(/~"([^"]+)"|~(\S+)/g)].map(found => found[1] ?? found[2]!)
  const places = [placeOf(owner), ...groupsAbove(placeOf(owner))]
  return names.filter(name => places.some(({ labels }) => labels.some(label => label.name === name)))
}

const peopleIn = ({ state, user, argument }: Given): User[] => {
  const names = argument.split(/[\s,]+/).map(name => (/^@?me$/.test(name) ? `@${user.username}` : name))
  return state.users.filter(other =>
    names.some(name => name.startsWith('@') && isCalled(other, name.slice(1)))
  )
}

const shown = (labels: string[]) =>
  `${labels.map(label => (/\s/.test(label) ? `~"${label}"` : `~${label}`)).join(' ')} label${labels.length > 1 ? 's' : ''}`

const setState =
  (closed: boolean): Command =>
  (owner, { state, user }) => {
    const event = closed ? 'close' : 'reopen'
    if (owner.state !== (closed ? 'opened' : 'closed')) return `Could not apply ${event} command.`
    setClosed(state, owner, user, closed)
    return ['state_event', event, `${closed ? 'Closed' : 'Reopened'} this ${noun(owner)}.`]
  }

const COMMANDS: Record<string, Command> = {
  close: setState(true),
  reopen: setState(false),
  label: (owner, { argument }) => {
    const labels = labelsIn(owner, argument)
    if (labels.length === 0) return undefined
    owner.labels = [...new Set([...owner.labels, ...labels])]
    return ['add_label_ids', labels, `Added ${shown(labels)}.`]
  },
  unlabel: (owner, { argument }) => {
    const labels = argument === '' ? owner.labels : labelsIn(owner, argument)
    if (labels.length === 0) return undefined
    owner.labels = owner.labels.filter(label => !labels.includes(label))
    return ['remove_label_ids', labels, `Removed ${shown(labels)}.`]
  },
  title: (owner, { argument }) => {
    if (argument === '') return undefined
    owner.title = argument
    return ['title', argument, `Changed the title to "${argument}".`]
  },
  assign: (owner, given) => {
    const found = peopleIn(given)
    if (found.length === 0) return 'Failed to assign a user because no user was found.'
    const several = given.state.edition === 'ee'
    const people = several ? found : found.slice(0, 1)
    const all = [...new Set([...(several ? owner.assignees : []), ...people])]
    assign(given.state, owner, all, given.user)
    const ids = owner.assignees.map(({ id }) => id)
    return ['assignee_ids', ids, `Assigned ${people.map(({ username }) => `@${username}`).join(' and ')}.`]
  },
  milestone: (owner, { argument }) => {
    const title = argument.replace(/^%?"?|"$/g, '')
    const places = [placeOf(owner), ...groupsAbove(placeOf(owner))]
    const found = places.flatMap(({ milestones }) => milestones).find(each => each.title === title)
    if (!found) return undefined
    owner.milestone = found
    return ['milestone_id', found.id, `Set the milestone to ${argument}.`]
  },
  spend: (owner, { argument }) => {
    const seconds = secondsOf(argument.replace(/\s+\d{4}-\d\d-\d\d$/, ''))
    if (!seconds || owner.timeSpent + seconds < 0) return undefined
    owner.timeSpent += seconds
    const [done, time] = [seconds > 0 ? 'Added' : 'Subtracted', humanTime(Math.abs(seconds))]
    return ['spend_time', { duration: seconds }, `${done} ${time} spent time.`]
  },
  duplicate: (owner, { state, user, argument }) => {
    if (!('project' in owner) || owner.kind !== 'Issue') return 'Could not apply duplicate command.'
    const target = owner.project.issues.find(({ iid }) => `#${iid}` === argument)
    if (target === undefined)
      return 'Failed to mark this issue as duplicate because referenced issue was not found.'
    const link = {
      id: state.nextId('link'),
      source: owner,
      target,
      type: 'relates_to',
      createdAt: state.time()
    }
    state.links.push(link)
    setClosed(state, owner, user, true)
    const says = `Closed this issue. Marked as related to, and a duplicate of, ${argument}.`
    return ['canonical_issue_id', target.id, says]
  },
  due: (owner, { state, argument }) => {
    if (owner.kind !== 'Issue') return 'Could not apply due command.'
    const day = dayOf(state, argument)
    if (day === undefined) return 'Failed to set due date because the date format is invalid.'
    owner.dueDate = day
    return ['due_date', day, `Set the due date to ${day}.`]
  }
}

/** A date, or one of the words for the next days. */
const dayOf = (state: ForgeState, words: string): string | undefined => {
  const days = { today: 0, tomorrow: 1 }[words] ?? Number(/^in (\d+) days?$/.exec(words)?.[1] ?? Number.NaN)
  const at = Number.isNaN(days) ? Date.parse(words) : state.now() + days * 86_400_000
  if (Number.isNaN(at) || (Number.isNaN(days) && !/^\d{4}-\d\d-\d\d$/.test(words))) return undefined
  return new Date(at).toISOString().slice(0, 10)
}

/**
 * Carries out the lines of a note that are quick actions and not code (docs: quick actions). The other lines remain as
 * the note.
 */
export const runQuickActions = (state: ForgeState, owner: Owner, user: User, body: string): Outcome => {
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
    const done = command(owner, { state, user, argument: argument.trim() })
    if (Array.isArray(done)) {
      outcome.changes[done[0]] = done[1]
      owner.updatedAt = state.time()
    }
    outcome.summary.push(...(Array.isArray(done) ? [done[2]] : done ? [done] : []))
  }
  outcome.rest = kept.join('\n').trim()
  return outcome
}
