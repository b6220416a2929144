import type { SentFile } from './multipart.ts'
import type { Place } from './place.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A request to the forge's API whose answer is read as a whole. */
export interface ForgeRequest extends Place {
  readonly method: Method
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as a form, instead of a body. */
  readonly file?: SentFile
  /** Whether the value is only shown. If so, the value of a large answer may be an UnparsedAnswer. */
  readonly unparsed?: boolean
}
