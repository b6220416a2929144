import {
  MAX_NAMES,
  messageShape,
  readMessageText,
  smallShape,
  type Wanted
} from '../../protocol/messages/message-text.ts'
import { invalidMetadata } from '../rules/error.ts'
import { readParameters } from '../rules/parameters.ts'

/** The only kind of body that a login endpoint accepts. */
export interface BodyKind {
  /** The media type, as Content-Type names it. */
  readonly type: string
  /** Most bytes of a body: several times the length of the longest valid one. */
  readonly limit: number
  /**
   * Reads a body.
   * @throws OAuthError
   */
  readonly read: (text: string) => unknown
}

export const formBody: BodyKind = {
  type: 'application/x-www-form-urlencoded',
  limit: 16 * 1024,
  read: readParameters
}

export const metadataBody: BodyKind = { type: 'application/json', limit: 64 * 1024, read: readMetadata }

const metadata: Wanted = {
  noun: 'client metadata',
  send: 'send a JSON object as in RFC 7591, such as {"redirect_uris":["http://127.0.0.1/callback"]}.'
}

function readMetadata(text: string): unknown {
  const read = readMessageText(text, smallShape, metadata)
  switch (read.fault) {
    case undefined:
      return read.message
    case 'broken':
      throw invalidMetadata(`The body is no client metadata: ${read.why}`)
    case 'deep':
      throw invalidMetadata(`The client metadata is nested deeper than ${messageShape.depth} levels.`)
    default:
      throw invalidMetadata(`The client metadata has more than ${MAX_NAMES} values.`)
  }
}

/** Whether a Content-Type header names a media type, with or without parameters. */
export const isOfType = (header = '', type: string): boolean =>
  header.split(';', 1)[0]!.trim().toLowerCase() === type
