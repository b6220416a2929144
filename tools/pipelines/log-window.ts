import { Type } from 'typebox'
import { optional } from '../../src/catalog/fields.ts'

/** Which part of a job's log is wanted, counted from its end. */
export const logWindow = {
  limit: optional(Type.Integer({ minimum: 1, default: 1000 })),
  offset: optional(Type.Integer({ minimum: 0 }))
}
