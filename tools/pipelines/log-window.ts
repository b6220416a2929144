import { Type } from 'typebox'
import { forgeDefault, integer, optional, unlisted } from '../../src/catalog/fields.ts'

/** Which part of a job's log is wanted, counted from its end. */
const limit = Type.Integer({ minimum: 1, default: 1000, description: 'Lines, from the end' })
const offset = forgeDefault(0, integer('Lines to leave out at the end'))
export const logWindow = { limit: optional(limit), offset: optional(offset) }

/** The same where it has no effect, so that the arguments of one tool can be passed to another. */
export const noLogWindow = { limit: optional(unlisted(limit)), offset: optional(unlisted(offset)) }
