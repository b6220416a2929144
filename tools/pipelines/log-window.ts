import { Type } from 'typebox'
import { forgeDefault, integer, optional, unlisted } from '../../src/engine/rows/fields.ts'

/** The part of a job's log to return, counted from its end. */
const limit = Type.Integer({ minimum: 1, default: 1000, description: 'Lines, from the end' })
const offset = forgeDefault(0, integer('Lines to leave out at the end'))
export const logWindow = { limit: optional(limit), offset: optional(offset) }

/** The same for a tool that has no use for it: the specification has it take them. */
export const noLogWindow = { limit: optional(unlisted(limit)), offset: optional(unlisted(offset)) }
