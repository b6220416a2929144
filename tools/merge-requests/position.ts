import { Type } from 'typebox'
import { oneOf, optional, text, toldElsewhere, unlisted } from '../../src/catalog/fields.ts'

const line = optional(Type.Integer())

/**
 * Where in a diff a comment stands. Its three SHAs are the merge request's diff_refs. Listed is what places it
 * on a line; comments on several lines, on a file or on an image are rarer and need the rest.
 */
export const Position = Type.Object(
  {
    base_sha: text(),
    start_sha: text(),
    head_sha: text(),
    old_path: optional(text()),
    new_path: optional(text()),
    old_line: line,
    new_line: line,
    position_type: optional(unlisted(oneOf(['text', 'image', 'file'], undefined, 'text'))),
    line_range: optional(unlisted(Type.Object({}))),
    width: optional(unlisted(Type.Integer())),
    height: optional(unlisted(Type.Integer())),
    x: optional(unlisted(Type.Number())),
    y: optional(unlisted(Type.Number()))
  },
  { problem: '; path and line serve instead of a position, and need no SHAs' }
)

const INSTEAD = 'Instead of path'

/** The same for tools beside one that lists it. */
export const PositionToo = toldElsewhere('create_merge_request_thread', INSTEAD, {
  ...Position,
  description: INSTEAD
})

/** A position that fits no line of the diff is refused in words that say nothing of it. */
export const unplaced = {
  400: 'Where the forge speaks of line_code or position: leave position out and give path and line; a line that the diff has not is then named.'
}

/**
 * A position as the forge gave it, in the form in which it takes one: without nulls and without fields that
 * are not its own. A note that stands in no diff has a position of nulls there.
 * @returns undefined when there is none
 */
export function positionAgain(given: unknown): Record<string, unknown> | undefined {
  const { base_sha, ...rest } = withoutNulls(given) ?? {}
  if (base_sha === undefined) return undefined
  const known = Object.entries(rest).filter(([name]) => name in Position.properties)
  return { base_sha, ...Object.fromEntries(known) }
}

function withoutNulls(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const kept = Object.entries(value).filter(([, item]) => item !== null)
  return Object.fromEntries(
    kept.map(([name, item]) => [name, typeof item === 'object' ? withoutNulls(item) : item])
  )
}
