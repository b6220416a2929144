import type { Duplex } from 'node:stream'
import type { buildConnector } from 'undici'
import { holderOf } from '../../base/holders.ts'
import { loopTurns } from '../../fairness/loop-turns.ts'
import { stopwatch } from '../../load/thread-ms.ts'
import { HandshakeSocket, type SocketTurns } from './handshake-socket.ts'
import { TlsTurns } from './tls-turns.ts'

/*
 * Bounds TLS with hosts that the operator did not choose. OpenSSL checks every certificate that it receives, trusted or
 * not, in one go, and the sender decides what that costs: a hundred kilobytes of keys with long exponents block the
 * event loop for half a second. So only few bytes are accepted (handshake-socket.ts), and afterwards the holder rests
 * for a time that grows with the square of the milliseconds used: after two milliseconds it hardly rests, and with
 * seventy it gets a hundredth of the time. A secure connection is bounded in the same way, record by record: key
 * updates and tickets are not data, so the limits for readers of data do not see them.
 *
 * Records wait and rest separately from handshakes: anybody can begin handshakes with somebody else's forge, and
 * otherwise each piece of an answer would wait for all of these. The next piece is that of whoever has used the least
 * time: for handshakes, whoever asks for them; for records, the holder. So a piece of one party waits for one piece of
 * each other party, however many holders the others have, and need not wait until a common pause ends. Holders with
 * expensive records rest together (tls-turns.ts).
 */

/** For whom connections are made, and how much each may deliver. */
export interface AskedBounds {
  /** Who asks for the connection that is being made (base/holders.ts); '' for nobody. */
  readonly asker: () => string
  /** Most bytes that one TLS connection may deliver, data or not; default unlimited. */
  readonly mostBytes?: number | undefined
}

/** Bounds the time that TLS takes on the event loop: for handshakes, and for anything else that is not data. */
export class Handshakes {
  readonly #turns: TlsTurns

  /**
   * @param begin starts to measure a piece of work, like stopwatch @param after calls back after so many milliseconds
   */
  constructor(
    begin: () => () => number = stopwatch,
    after: (ms: number, next: () => void) => void = (ms, next) =>
      // Node runs timers for as long as any is due, and each of these callbacks may make others due.
      setTimeout(() => loopTurns.soon(next), ms).unref()
  ) {
    this.#turns = new TlsTurns(begin, after)
  }

  /**
   * Runs a piece of a handshake, now or later.
   * @param name of the holder: an address that is connected to, or a domain
   * @param asker who asks for the handshake, as in AskedBounds
   */
  handshake(name: string, asker: string, run: () => void): void {
    this.#turns.handshake(name, asker, run)
  }

  /** Does the same for a piece of a secure connection, as TlsTurns.data. Each connection has one piece at a time. */
  data(name: string, run: () => boolean): void {
    this.#turns.data(name, run)
  }

  /**
   * A connector whose handshakes are bounded by the address that is connected to.
   * @param plain connects without TLS @param secure speaks TLS over the connected socket
   * @param domain bounds them instead of the address, if a proxy connects
   */
  connector(
    plain: buildConnector.connector,
    secure: buildConnector.connector,
    { asker, mostBytes }: AskedBounds,
    domain?: string
  ): buildConnector.connector {
    return (target, callback) => {
      if (target.protocol !== 'https:') return plain(target, callback)
      const whose = asker()
      return plain({ ...target, protocol: 'http:', port: target.port || '443' }, (...[error, raw]) => {
        if (error !== null) return callback(error, null)
        const { remoteAddress } = raw
        const socket = this.over(raw, domain ?? holderOf(remoteAddress), whose, mostBytes)
        return secure({ ...target, httpSocket: socket as unknown as typeof raw }, (...[error, tls]) => {
          if (error !== null) return callback(error, null)
          socket.secured(tls)
          // A TLS socket over a stream that is not a socket of Node does not know the remote address. A proxy's address
          // says nothing.
          if (domain === undefined) Object.defineProperty(tls, 'remoteAddress', { value: remoteAddress })
          callback(null, tls)
        })
      })
    }
  }

  /** Wraps a raw connection for TLS. The caller must call `secured` on the result when the connection is secure. */
  over(raw: Duplex, holder: string, asker = '', mostBytes?: number): HandshakeSocket {
    const turns: SocketTurns = {
      handshake: work => this.handshake(holder, asker, work),
      data: work => this.data(holder, work)
    }
    return new HandshakeSocket(raw, turns, mostBytes)
  }
}
