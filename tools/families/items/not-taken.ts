import { nameFolder } from '../../../src/engine/arguments/same-name.ts'
import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { slipOf } from '../../../src/engine/suggestions/slips.ts'
import { type Fields, fieldsOf } from '../../../src/results/is-record.ts'
import { asKey } from '../../../src/results/shortened.ts'
import { exactly } from '../../../src/results/unseen-in-names.ts'
import { quoted, wordsOf } from '../../../src/results/visible.ts'

/** A value as text, to compare arguments with fields. No value is an empty text. */
const plain = (value: unknown): string => wordsOf(value ?? '')

/** Reads the field that corresponds to an argument; undefined if the record does not have the field. */
const places: Readonly<Record<string, (record: Fields) => string | undefined>> = {
  milestone_id: ({ milestone }) =>
    milestone === undefined
      ? undefined
      : plain(fieldsOf(milestone).id ?? (milestone === null ? 0 : undefined)),
  due_date: ({ due_date }) => (due_date === undefined ? undefined : plain(due_date)),
  // In an edition without weights, even a complete record has no weight. due_date tells whether the record is complete.
  weight: ({ weight, due_date }) =>
    weight === undefined && due_date === undefined ? undefined : plain(weight),
  confidential: ({ confidential }) => (confidential === undefined ? undefined : plain(confidential)),
  discussion_locked: ({ discussion_locked }) =>
    discussion_locked === undefined ? undefined : plain(discussion_locked ?? false),
  // A merged merge request has its own state, so nothing is said of it.
  state_event: ({ state }) => (state === undefined || state === 'merged' ? undefined : plain(state)),
  issue_type: ({ issue_type }) => (issue_type === undefined ? undefined : plain(issue_type))
}

/**
 * Names the parts of a change that an issue or merge request did not take. A forge silently ignores fields that the
 * caller's role may not set (for guests, most fields) and fields that its edition does not have.
 * @param args with ids in place of names
 * @param record the forge's record after the change
 */
export function notTaken(record: unknown, args: Arguments): string | undefined {
  const now = fieldsOf(record)
  const fields = Object.entries(places).flatMap(([argument, of]) => {
    const wanted = args[argument]
    const has = of(now)
    return wanted === undefined || has === undefined || isSame(has, wantedOf(argument, wanted))
      ? []
      : [argument]
  })
  const kept = stillThere(now.labels, args.remove_labels) ? ['remove_labels'] : []
  const all = [...fields, ...kept]
  const edition = all.includes('weight') ? ', and weight takes the Premium edition' : ''
  const isSet = all.includes('milestone_id') && wantedOf('milestone_id', args.milestone_id) !== '0'
  const milestone = isSet ? ', or there is no milestone of that id here' : ''
  const said = [
    ...(all.length === 0
      ? []
      : [
          `The forge did not take ${all.join(', ')}: your role in the project may be too low${milestone}${edition}.`
        ]),
    ...mistyped(now.labels, args)
  ]
  return said.length === 0 ? undefined : said.join(' ')
}

/** Whether two values are the same; numbers may be written with leading zeros. */
const isSame = (has: string, wanted: string): boolean =>
  has === wanted || (/^\d+$/.test(wanted) && has !== '' && Number(has) === Number(wanted))

/** The state that each event leads to. */
const states: Readonly<Record<string, string>> = { close: 'closed', reopen: 'opened' }

/** The wanted value as text. An empty text removes a milestone, which the forge shows as 0. */
function wantedOf(argument: string, wanted: unknown): string {
  if (argument === 'state_event') return states[plain(wanted)] ?? plain(wanted)
  return argument === 'milestone_id' && wanted === '' ? '0' : plain(wanted)
}

function stillThere(labels: unknown, removed: unknown): boolean {
  const names = namesOf(removed)
  if (names.length === 0) return false
  const now = new Set(namesOf(labels))
  return names.some(label => now.has(label))
}

const namesOf = (labels: unknown): readonly string[] =>
  Array.isArray(labels) ? labels.filter(label => typeof label === 'string').map(asKey) : []

/** How many names of one call are compared with all labels, and with how many labels. No real record has as many. */
const MAX_COMPARED = 10
const MAX_LABELS = 300

/**
 * Names labels that stayed because the call wrote them in another case or mistyped them. The record does not show
 * whether any other label was on it before.
 */
function mistyped(labels: unknown, { remove_labels: removed, add_labels: added }: Arguments): string[] {
  const names = namesOf(removed).map(name => name.trim())
  if (names.length === 0) return []
  const given = new Set(namesOf(added))
  const now = namesOf(labels).slice(0, MAX_LABELS)
  const kept = new Set(now)
  const left = now.filter(label => !given.has(label))
  const folded = nameFolder()
  const wanted = names.map(folded)
  const inLower = new Map(left.map(label => [folded(label), label]))
  return names.flatMap((name, at) => {
    if (kept.has(name)) return []
    const other = inLower.get(wanted[at]!)
    if (other !== undefined)
      return `It still has ${quoted(other)}, which is another label than ${quoted(name)}: the case of letters counts.`
    const near = at < MAX_COMPARED ? slipOf(name, left) : undefined
    return near === undefined
      ? []
      : `It still has ${exactly(near, name)}: was that meant by ${exactly(name, near)}?`
  })
}
