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

/** The events that a test delivery can be of. */
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

/** The forge has a flag for each event: what is done here in place of each. */
export const insteadOfFlags = Object.fromEntries(
  events.map(event => [`${event}_events`, `did you mean events: ["${event}"]?`])
)

const unpaused = 'no tool pauses a webhook: delete_webhook takes it away'

/** The same for a switch that the forge has on its page alone. */
export const insteadOfPause = { enabled: unpaused, active: unpaused, disabled: unpaused, paused: unpaused }

/** Some events only exist for projects, some only for groups. */
export const eventsOfPlace: Check = ({ events: wanted = [], group_id: group }) => {
  const foreign: readonly string[] = group === undefined ? ofGroup : ofProject
  const wrong = (wanted as readonly string[]).filter(event => foreign.includes(event))
  if (wrong.length > 0)
    throw new CallProblem(
      `events: ${wrong.join(', ')} ${group === undefined ? 'goes with group_id' : 'goes with project_id'} only.`
    )
}

/** The events given as the forge takes them: one flag each. Those that are not named are switched off. */
export function asFlags({ events: wanted, ...args }: Arguments, all: boolean): Arguments {
  if (wanted === undefined) return args
  const on = new Set(wanted as readonly string[])
  const place: readonly string[] = [...shared, ...(args.group_id === undefined ? ofProject : ofGroup)]
  // A new webhook only has push events on by default.
  const named = all ? place : place.filter(event => on.has(event) || event === 'push')
  return { ...args, ...Object.fromEntries(named.map(event => [`${event}_events`, on.has(event)])) }
}

/** The events of a record that are on. */
export const eventsOn = (record: Readonly<Record<string, unknown>>): string[] =>
  known.filter(event => record[`${event}_events`] === true)
