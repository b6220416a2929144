import type { Variable } from '../schema.ts'

/** What is told of a variable in an env file. */
export interface Said {
  readonly name: Variable
  /** A sentence that does not contain the value. */
  readonly says: string
  /** Whether it can only be a fault of a variable of this service, with which it must not start. */
  readonly isSure: boolean
}
