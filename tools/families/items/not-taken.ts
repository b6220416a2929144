import { nameFolder } from '../../../src/engine/arguments/same-name.ts'
import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { slipOf } from '../../../src/engine/suggestions/slips.ts'
import { fieldsOf } from '../../../src/results/is-record.ts'
import { exactly } from '../../../src/results/unseen-in-names.ts'
import { quoted, wordsOf } from '../../../src/results/visible.ts'

type Fields = Readonly<Record<string, unknown>>

/** A value in the form of both sides: none is an empty text. */
const plain = (value: unknown): string => wordsOf(value ?? '')

/** Reads the field that corresponds to an argument; undefined if the record does not have it. */
const places: Readonly<Record<string, (record: Fields) => string | undefined>> = {
  milestone_id: ({ milestone }) =>
    milestone === undefined
      ? undefined
      : plain(fieldsOf(milestone).id ?? (milestone === null ? 0 : undefined)),
  due_date: ({ due_date }) => (due_date === undefined ? undefined : plain(due_date)),
  // Where weight needs another edition, even a complete record has none.
  weight: ({ weight, due_date }) =>
    weight === undefined && due_date === undefined ? undefined : plain(weight),
  confidential: ({ confidential }) => (confidential === undefined ? undefined : plain(confidential)),
  discussion_locked: ({ discussion_locked }) =>
    discussion_locked === undefined ? undefined : plain(discussion_locked ?? false),
  // What is merged says so itself.
  state_event: ({ state }) => (state === undefined || state === 'merged' ? undefined : plain(state)),
  issue_type: ({ issue_type }) => (issue_type === undefined ? undefined : plain(issue_type))
}

/**
 * Names the parts of a change that an issue or merge request did not take: a forge silently ignores what the caller's
 * role may not set (for guests, most fields) and what its edition does not have.
 * @param args with ids in place of names
 * @param record the forge's, as it is after the change
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

/** The state after each event. */
const states: Readonly<Record<string, string>> = { close: 'closed', reopen: 'opened' }

/** The wanted value; an empty text removes a milestone, too. */
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
  Array.isArray(labels) ? labels.filter(label => typeof label === 'string') : []

/** Most names of one call that are compared with all labels, and most labels: no record has as many. */
const MOST_COMPARED = 10
const MOST_LABELS = 300

/**
 * Tells of labels that are left because their names were given in another case or mistyped. Whether any other label was
 * on it before, the record does not show.
 */
function mistyped(labels: unknown, { remove_labels: removed, add_labels: added }: Arguments): string[] {
  const names = namesOf(removed).map(name => name.trim())
  if (names.length === 0) return []
  const given = new Set(namesOf(added))
  const now = namesOf(labels).slice(0, MOST_LABELS)
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
    const near = at < MOST_COMPARED ? slipOf(name, left) : undefined
    return near === undefined
      ? []
      : `It still has ${exactly(near, name)}: was that meant by ${exactly(name, near)}?`
  })
}
