import type { Arguments, Check } from '../../src/engine/arguments/values.ts'
import { CallProblem } from '../../src/results/problem.ts'

const shared = [
  'push',
  'tag_push',
  'issues',
  'confidential_issues',
  'merge_requests',
  'note',
  'confidential_note',
  'job',
  'pipeline',
  'wiki_page',
  'deployment',
  'feature_flag',
  'releases',
  'milestone',
  'emoji',
  'vulnerability',
  'resource_access_token'
] as const
const ofProject = ['resource_deploy_token'] as const
const ofGroup = ['subgroup', 'member', 'project'] as const

/** The events that a webhook can report. */
export const events = [...shared, ...ofProject, ...ofGroup] as const

/** The events for which a test delivery can be sent. */
export const testEvents = [
  'push',
  'tag_push',
  'issues',
  'confidential_issues',
  'note',
  'merge_requests',
  'job',
  'pipeline',
  'wiki_page',
  'releases',
  'emoji',
  'resource_access_token'
] as const

const known: readonly string[] = events

/** The forge has a flag for each event. Advice for callers who give these flags. */
export const insteadOfFlags = Object.fromEntries(
  events.map(event => [`${event}_events`, `did you mean events: ["${event}"]?`])
)

const unpaused = 'no tool pauses a webhook: delete_webhook takes it away'

/** The same for switches that the forge has only on its page. */
export const insteadOfPause = { enabled: unpaused, active: unpaused, disabled: unpaused, paused: unpaused }

/** Checks that the events exist there: some exist only for projects, some only for groups. */
export const eventsOfPlace: Check = ({ events: wanted = [], group_id: group }) => {
  const foreign: readonly string[] = group === undefined ? ofGroup : ofProject
  const wrong = (wanted as readonly string[]).filter(event => foreign.includes(event))
  if (wrong.length > 0)
    throw new CallProblem(
      `events: ${wrong.join(', ')} ${group === undefined ? 'goes with group_id' : 'goes with project_id'} only.`
    )
}

/** The events as the forge takes them, as one flag each. Events that are not named are switched off. */
export function asFlags({ events: wanted, ...args }: Arguments, all: boolean): Arguments {
  if (wanted === undefined) return args
  const on = new Set(wanted as readonly string[])
  const place: readonly string[] = [...shared, ...(args.group_id === undefined ? ofProject : ofGroup)]
  // By default, a new webhook has only push events on.
  const named = all ? place : place.filter(event => on.has(event) || event === 'push')
  return { ...args, ...Object.fromEntries(named.map(event => [`${event}_events`, on.has(event)])) }
}

/** The events of a record that are on. */
export const eventsOn = (record: Readonly<Record<string, unknown>>): string[] =>
  known.filter(event => record[`${event}_events`] === true)
