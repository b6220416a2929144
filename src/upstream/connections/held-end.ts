import type { Duplex } from 'node:stream'
import type { buildConnector } from 'undici'

/** What of a socket is used here. */
type Endable = Pick<Duplex, 'read' | 'destroy' | 'emit'>

/** The code is undici's for a connection that ended; of ECONNRESET it asks the parser whether that was the end. */
class ClosedWhilePaused extends Error {
  readonly code = 'UND_ERR_SOCKET'
  constructor() {
    super('closed before the answer was read')
    this.name = 'ClosedWhilePaused'
  }
}

/**
 * A connector whose connections end, or are reset, only for a parser that reads. Undici's may be paused, while the reader
 * of an answer is slow or waits for its turn: then it takes the end of an answer that goes on until the connection is
 * closed for a fault of its own, and fails an assertion that ends the process.
 */
export const endsWhereRead =
  (connect: buildConnector.connector): buildConnector.connector =>
  (target, callback) =>
    connect(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      holdEnd(socket)
      callback(null, socket)
    })

/** Stands before whoever reads a socket as undici does: until there is nothing, or else it is paused. */
function holdEnd(socket: Endable): void {
  const { read, destroy, emit } = socket
  let isPaused = false
  socket.read = size => {
    // Node's own look whether there is more would tell of the end. Resumed, the parser reads again, and is told then.
    if (size === 0 && isPaused) return null
    const piece = read.call(socket, size)
    if (size !== 0) isPaused = piece !== null
    return piece
  }
  socket.destroy = error => {
    const isEnd = error === undefined || error === null || isReset(error)
    return destroy.call(socket, isPaused && isEnd ? new ClosedWhilePaused() : error)
  }
  // Of what TLS runs over Node tells the errors alone, and leaves the connection open.
  socket.emit = (event: string | symbol, ...told: unknown[]) =>
    event === 'error' && isPaused && isReset(told[0])
      ? emit.call(socket, event, new ClosedWhilePaused())
      : emit.call(socket, event, ...told)
}

const isReset = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ECONNRESET'
