import { type TSchema, Type } from 'typebox'
import type { NameUse } from '../arguments/argument-flags.ts'
import { NAME_CHARS, names, notAlone, noWebUrl, ofAtMost, optional, replacing } from './fields.ts'

/* Arguments for labels, in addition to fields.ts. */

const ofNone = 'an empty list [] is for none, and an address names none'

/**
 * A label to be set. A forge creates a label for any new name; callers write the refused words when they want no label.
 */
const labelToSet = Type.String({
  ...ofAtMost(NAME_CHARS),
  pattern: `${noWebUrl}(?=\\s*\\S)${notAlone('none|any|null|undefined|\\{\\}').slice(1)}`,
  problem: `must name a label: ${ofNone}`
})

/** A label to be removed: a forge takes the refused words for a label's name, and removes nothing. */
const labelToRemove = Type.String({
  ...ofAtMost(NAME_CHARS),
  pattern: notAlone('all|any|\\*'),
  problem: 'must name a label: labels=[] takes all of them off'
})

/** Labels of the project or group by id or name. If the forge takes names, see `labels`. */
export const labelIds = (one: TSchema = labelToSet) =>
  Type.Array(one, { separable: true, labelIds: true, description: 'Ids or names' })

/**
 * Labels by name. The call gets a remark on labels that were not set, or that do not exist
 * (engine/names/unknown-names.ts).
 */
const labels = (use: NameUse, description?: string) => ({
  ...names(description),
  ...(use === 'set' && { items: labelToSet }),
  names: { noun: 'label', use }
})
/** For a tool that creates something. */
export const NewLabels = labels('set', 'New names become labels')
/** The whole set, or changes to it; not both. */
export const ChangedLabels = {
  labels: optional(
    replacing({
      ...labels('set', 'Replaces all; not with add_labels or remove_labels'),
      items: { ...labelToSet, problem: `must name a label: left out, they stay, ${ofNone}` }
    })
  ),
  add_labels: optional(NewLabels),
  remove_labels: optional({ ...labels('taken'), items: labelToRemove })
}
/** A filter. */
export const LabelFilter = labels('filter', 'All of them, None or Any')
