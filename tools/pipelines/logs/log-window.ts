import { Type } from 'typebox'
import { forgeDefault, integer, optional } from '../../../src/engine/rows/fields.ts'

/** The part of a job's log to return, counted from its end. */
export const logWindow = {
  limit: optional(Type.Integer({ minimum: 1, default: 1000, description: 'Lines, from the end' })),
  offset: optional(forgeDefault(0, integer('Lines to leave out at the end')))
}

/** The same arguments for a tool that ignores them, but has them by the specification. No defaults are filled in. */
export const noLogWindow = {
  limit: optional(forgeDefault(1000, Type.Integer({ minimum: 1, description: 'Of the log: not here' }))),
  offset: optional(forgeDefault(0, integer('Likewise')))
}
