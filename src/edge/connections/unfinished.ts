import { type IncomingMessage, maxHeaderSize } from 'node:http'
import type { RoomPlace } from '../../collections/shared-room.ts'
import { REQUEST_BYTES, TEXT_BYTES } from '../requests/request-head.ts'
import type { Connection } from './connection.ts'

/** The first line of a head without its target, and the last one. */
const LINE_BYTES = 'POST  HTTP/1.1\r\n\r\n'.length

/**
 * Counts what a read has left with the parser of a head that is not whole yet, or of trailers: like the headers of a
 * request, of which nobody hears before. To be called before countRead.
 * @param bytes what was read
 * @param take takes room for a head that nothing was counted of so far; none for a connection of a proxy, which sends whole
 * heads, and whose caller the head tells
 */
export function countUnfinished(
  connection: Connection,
  bytes: number,
  take: (bytes: number) => RoomPlace | undefined
): void {
  const { head, isHeadComing, read, request } = connection
  // With what else came in this read: nobody can tell where the head begins.
  const came = Math.min(bytes - read.bytes, maxHeaderSize) + read.texts * TEXT_BYTES
  if (!isHeadComing) {
    if (request?.complete === false) head?.grow(Math.max(0, came - (read.begins ? textOf(request) : 0)))
  } else if (connection.unfinished === undefined) connection.unfinished = take(REQUEST_BYTES + came)
  else connection.unfinished.grow(came)
}

/** About what a head took of a read. */
const textOf = ({ rawHeaders, url = '' }: IncomingMessage): number =>
  rawHeaders.reduce((sum, text) => sum + text.length + 2, LINE_BYTES + url.length)

/** The head is whole, or its connection is closed. */
export function leaveUnfinished(connection: Connection): void {
  connection.isHeadComing = false
  connection.read.texts = 0
  connection.unfinished?.leave()
  connection.unfinished = undefined
}
