import type { Duplex } from 'node:stream'
import type { buildConnector } from 'undici'

/*
 * A connection may consist of several sockets: TLS over TCP, and perhaps TLS once more through a proxy. Data that waits
 * to be sent waits in the topmost socket, and only the TCP socket at the bottom can be reset.
 */

const above = new WeakMap<Duplex, Duplex>()
const below = new WeakMap<Duplex, Duplex>()

/** Records that the upper socket is carried by the lower one from now on. */
export function layered(upper: Duplex, lower: Duplex): void {
  above.set(lower, upper)
  below.set(upper, lower)
}

/**
 * The topmost socket over this one, or this one if there is none. Everything that is written to the connection is
 * written to that socket.
 */
export const topOf = (socket: Duplex): Duplex => lastOf(above, socket)

/** The TCP socket that carries this socket, or the socket itself. */
export const bottomOf = (socket: Duplex): Duplex => lastOf(below, socket)

function lastOf(next: WeakMap<Duplex, Duplex>, socket: Duplex): Duplex {
  let last = socket
  for (let one = next.get(last); one !== undefined; one = next.get(last)) last = one
  return last
}

/**
 * A connector that makes TLS over a TCP socket of its own. If Node makes the TLS connection by itself, there is no
 * separate TCP socket, and so nothing that can be reset.
 * @param dial connects without TLS @param secure speaks TLS over the connected socket
 */
export const overTcp =
  (dial: buildConnector.connector, secure: buildConnector.connector): buildConnector.connector =>
  (target, callback) => {
    if (target.protocol !== 'https:') return dial(target, callback)
    return dial({ ...target, protocol: 'http:', port: target.port || '443' }, (...[error, tcp]) => {
      if (error !== null) return callback(error, null)
      return secure({ ...target, httpSocket: tcp }, (...[error, tls]) => {
        if (error !== null) return callback(error, null)
        layered(tls, tcp)
        callback(null, tls)
      })
    })
  }
