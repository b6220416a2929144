import { type IncomingMessage, maxHeaderSize } from 'node:http'
import type { RoomPlace } from '../../collections/shared-room.ts'
import { REQUEST_BYTES, TEXT_BYTES } from '../requests/request-head.ts'
import type { Connection } from './connection.ts'

/** Bytes of the first line of a head without its target, and of the empty line at its end. */
const LINE_BYTES = 'POST  HTTP/1.1\r\n\r\n'.length

/**
 * Counts the part of an incomplete head, or of trailers, that a read has left with the parser. It is counted like the
 * headers of a request, because the parser reports it to nobody earlier. To be called before countRead.
 * @param bytes that were read
 * @param take takes room for a head of which nothing was counted so far. It returns undefined for a proxy's connection:
 * a proxy sends complete heads, and only a head tells whose request it is
 */
export function countUnfinished(
  connection: Connection,
  bytes: number,
  take: (bytes: number) => RoomPlace | undefined
): void {
  const { head, isHeadComing, read, request } = connection
  // Includes the other data of this read: nobody can tell where the head begins.
  const came = Math.min(bytes - read.bytes, maxHeaderSize) + read.texts * TEXT_BYTES
  if (!isHeadComing) {
    if (request?.complete === false) head?.grow(Math.max(0, came - (read.begins ? textOf(request) : 0)))
  } else if (connection.unfinished === undefined) connection.unfinished = take(REQUEST_BYTES + came)
  else connection.unfinished.grow(came)
}

/** About how many bytes of a read a head took. */
const textOf = ({ rawHeaders, url = '' }: IncomingMessage): number =>
  rawHeaders.reduce((sum, text) => sum + text.length + 2, LINE_BYTES + url.length)

/** To be called when the head is complete, or its connection is closed. */
export function leaveUnfinished(connection: Connection): void {
  connection.isHeadComing = false
  connection.read.texts = 0
  connection.unfinished?.leave()
  connection.unfinished = undefined
}
