import { Type } from 'typebox'
import { oneOf, optional, text, toldElsewhere, unlisted } from '../../../src/engine/rows/fields.ts'
import { fieldsOf, isRecord } from '../../../src/results/is-record.ts'

const line = optional(Type.Integer())

/**
 * The position of a comment in a diff. Its three SHAs are the merge request's diff_refs. Only the fields that place it
 * on one line are listed; comments on several lines, on a file or on an image are rarer and need the others.
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

/** The same for tools that are listed beside create_merge_request_thread, which explains it. */
export const PositionToo = toldElsewhere('create_merge_request_thread', INSTEAD, {
  ...Position,
  description: INSTEAD
})

/** Advice for a position that fits no line of the diff. The forge's own message does not say so. */
export const unplaced = {
  400: 'Where the forge speaks of line_code or position: leave position out and give path and line; a line that the diff has not is then named.'
}

/** The fields of each end of a range of lines (discussions API, line_range). */
const endFields = ['line_code', 'type', 'old_line', 'new_line']

/**
 * Turns a position from the forge into the form that it accepts: without nulls, and without fields of other types. A
 * note outside of diffs has a position that consists of nulls. Fields that are not sent again are not read, as they may
 * hold anything.
 * @returns undefined when there is no position
 */
export function positionAgain(given: unknown): Record<string, unknown> | undefined {
  const position = scalarsIn(given, Object.keys(Position.properties))
  if (position.base_sha === undefined) return undefined
  const { line_range: range } = fieldsOf(given)
  return isRecord(range) ? { ...position, line_range: rangeAgain(range) } : position
}

const rangeAgain = (range: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    ['start', 'end'].flatMap(end => {
      const given = range[end]
      return isRecord(given) ? [[end, scalarsIn(given, endFields)]] : []
    })
  )

/** The named fields that have a value other than null, a record or a list. */
function scalarsIn(given: unknown, names: readonly string[]): Record<string, unknown> {
  const all = fieldsOf(given)
  const fields = names.map(name => [name, all[name]] as const)
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined && typeof value !== 'object'))
}
