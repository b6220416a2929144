import type { OnReadOpts, Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** As many bytes as a record of TLS has at most, or a piece of an answer several times over (read-pace.ts). */
export const SHORT_READ_BYTES = 16 * 1024

/**
 * Most pieces that wait in a connection before they are made one. Each takes a hundred bytes beside its own, and a forge
 * can send them one byte at a time.
 */
const MOST_PIECES = 256

/** Where the kernel puts what is read, for all connections: it is copied before anything else is read. */
const arriving = Buffer.allocUnsafeSlow(SHORT_READ_BYTES)

/** How many pieces wait in a connection, since it was last read to its end. */
const waiting = new WeakMap<Socket, number>()

/**
 * Options of node:net for connections to hosts that the operator did not choose: of what comes while nobody reads it, the
 * process takes twice as many bytes at most, in few pieces, and the rest counts in the kernel (forge-queues.ts). Node reads
 * up to 64 KiB at once, and as much ahead by undici's wish.
 */
export const shortReads = {
  highWaterMark: SHORT_READ_BYTES,
  onread: {
    buffer: arriving,
    callback(this: Socket, bytes: number): boolean {
      const piece = arriving.subarray(0, bytes)
      const before = this.readableLength === 0 ? 0 : (waiting.get(this) ?? 0)
      waiting.set(this, before === MOST_PIECES ? 1 : before + 1)
      if (before < MOST_PIECES) return this.push(Buffer.from(piece))
      // Not its own `read`, which keeps the pace of its reader.
      return this.push(Buffer.concat([Duplex.prototype.read.call(this), piece]))
    }
  } satisfies OnReadOpts
}
