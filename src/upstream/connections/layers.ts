import type { Duplex } from 'node:stream'
import type { buildConnector } from 'undici'

/*
 * A connection may be several sockets, TLS over TCP, perhaps once more through a proxy. What waits to be sent waits in
 * the top one, and only TCP at the bottom can be reset.
 */

const above = new WeakMap<Duplex, Duplex>()
const below = new WeakMap<Duplex, Duplex>()

/** Tells that a socket is carried by another from now on. */
export function layered(upper: Duplex, lower: Duplex): void {
  above.set(lower, upper)
  below.set(upper, lower)
}

/** The last of the sockets over this one, or itself: all that is written to the connection is written to it. */
export const topOf = (socket: Duplex): Duplex => lastOf(above, socket)

/** The socket of TCP that carries this one, or itself. */
export const bottomOf = (socket: Duplex): Duplex => lastOf(below, socket)

function lastOf(next: WeakMap<Duplex, Duplex>, socket: Duplex): Duplex {
  let last = socket
  for (let one = next.get(last); one !== undefined; one = next.get(last)) last = one
  return last
}

/**
 * A connector whose TLS goes over a socket of TCP. Where Node connects TLS by itself there is none, and nothing that can
 * be reset.
 * @param dial connects without TLS @param secure speaks TLS over what is connected
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
