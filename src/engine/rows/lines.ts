import { Type } from 'typebox'
import { optional } from './fields.ts'

/* Arguments for lines of a text. */

/** The number of a line; no line has the number 0. */
export const ofLine = { minimum: 1, neverEmpty: true } as const

/** Lines from 1, both ends included. */
export const LineRange = {
  start_line: optional(Type.Integer({ ...ofLine })),
  end_line: optional(Type.Integer({ ...ofLine, description: 'Included' }))
}
