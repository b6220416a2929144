import { flag, forgeDefault, optional } from '../../../src/engine/rows/fields.ts'

/** Forges before 16.5 do not know this argument and ignore it. */
export const Unidiff = optional(forgeDefault(false, flag()))
