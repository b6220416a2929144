import { PIECE_BYTES } from '../requests/bodies.ts'
import { type Connection, leaveCaller } from './connection.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import type { FairReads } from './fair-reads.ts'
import type { ParserWatch } from './http-parser.ts'

/** Number of body pieces that take as long to read as one request. */
const PIECES_OF_REQUEST = 100

/**
 * Estimated microseconds that a read takes: a fixed part, a part for each piece of a body, and a part that grows with
 * the bytes.
 */
const workOf = (pieces: number, bytes: number): number => 10 + pieces + bytes / 640

/**
 * Callbacks for what happens within reads of a connection.
 * @param limits as in ConnectionLimits
 * @param onCrumbs called when a body arrives in too many small pieces
 */
export const partsOfReads = (
  connection: Connection,
  limits: ConnectionLimits['pieces'],
  onCrumbs: () => void
): Omit<ParserWatch, 'onRead'> => ({
  onHead: () => {
    connection.isHeadComing = true
  },
  onFields: texts => {
    connection.read.texts += texts
  },
  onPiece: bytes => {
    if (!countPiece(connection, bytes, limits)) onCrumbs()
  }
})

/**
 * Counts a piece of a body that has arrived over a connection.
 * @param bytes its length
 * @returns whether the body may go on: false if it arrives in too many small pieces
 */
function countPiece(
  { body, read }: Connection,
  bytes: number,
  { most, bytesEach }: ConnectionLimits['pieces']
): boolean {
  read.pieces++
  read.bytes += bytes
  body.pieces++
  body.bytes += bytes
  if (body.pieces > most + body.bytes / bytesEach) return false
  if (body.of === undefined) return true
  body.of.bodyBytes += bytes + PIECE_BYTES
  body.of.head.grow(bytes + PIECE_BYTES)
  return true
}

/**
 * Counts a read for the holder of the connection. To be called when all available data has been read.
 * @param bytes that were read
 */
export function countRead(connection: Connection, bytes: number, reads: FairReads): void {
  const { coming, read, reader } = connection
  // A proxy's connection carries the requests of its callers, one after the other.
  if (coming?.request.complete === false) connection.reads ??= reads.add(coming.caller, reader)
  const cost = Math.floor(read.pieces / PIECES_OF_REQUEST)
  // A request that began in this read was already counted by itself.
  connection.reads?.came(read.begins ? cost : Math.max(1, cost), workOf(read.pieces, bytes))
  if (coming?.request.complete) leaveCaller(connection)
  read.pieces = 0
  read.bytes = 0
  read.texts = 0
  read.begins = false
}
