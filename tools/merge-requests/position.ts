import { Type } from 'typebox'
import { oneOf, optional, text } from '../../src/catalog/fields.ts'

const line = Type.Optional(Type.Integer({ minimum: 1 }))

/**
 * Where in a diff a comment stands. Its three SHAs are the merge request's diff_refs (reference:
 * upstream/tools.md 2.1).
 */
export const Position = Type.Object(
  {
    base_sha: text(),
    start_sha: text(),
    head_sha: text(),
    position_type: oneOf(['text', 'image', 'file']),
    old_path: optional(text()),
    new_path: optional(text()),
    old_line: line,
    new_line: line,
    line_range: optional(
      Type.Object({}, { description: 'start and end: {line_code, type, old_line, new_line}' })
    ),
    width: optional(Type.Integer()),
    height: optional(Type.Integer()),
    x: optional(Type.Number()),
    y: optional(Type.Number())
  },
  {
    description:
      'Place in the diff: SHAs from diff_refs; new_line for an added line, old_line for a removed one, both for an unchanged one'
  }
)
