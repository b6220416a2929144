import { Type } from 'typebox'
import { forgeDefault, integer, optional } from '../../src/catalog/fields.ts'

/** Which part of a job's log is wanted, counted from its end. */
const limit = Type.Integer({ minimum: 1, default: 1000, description: 'Lines, from the end' })
const offset = forgeDefault(0, integer('Lines to leave out at the end'))
export const logWindow = { limit: optional(limit), offset: optional(offset) }

/** The same where it has no effect, so that the arguments of one tool can be passed to another. */
const none = 'No effect: see get_pipeline_job_output'
export const noLogWindow = {
  limit: optional({ ...limit, description: none }),
  offset: optional({ ...offset, description: none })
}
