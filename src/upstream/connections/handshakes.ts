import type { Duplex } from 'node:stream'
import type { buildConnector } from 'undici'
import { holderOf } from '../../edge/address.ts'
import { HandshakeSocket } from './handshake-socket.ts'

/*
 * TLS with hosts that somebody else has chosen. OpenSSL checks every certificate that it is sent, trusted or not, in one
 * go, and what one costs is for its owner to say: a hundred kilobytes of keys with long exponents take half a second
 * of the event loop. So few bytes are taken (handshake-socket.ts), and then time goes by as the square of what they
 * took, in milliseconds: two of them are nothing, and who takes seventy gets a hundredth of the time.
 */

/** Milliseconds of this thread's processor, so that a busy machine counts for nobody; before Node 22.19 of the clock. */
const threadMs = (): number => {
  const used = process.threadCpuUsage?.()
  return used === undefined ? performance.now() : (used.user + used.system) / 1000
}

type Work = () => void

/** Bounds what TLS handshakes take of the event loop. */
export class Handshakes {
  readonly #cpuMs: () => number
  readonly #after: (ms: number, next: () => void) => void
  /** By holder, those that wait; who has taken some time lately is in it. */
  readonly #waiting = new Map<string, Work[]>()

  /** @param cpuMs what this thread has taken, in milliseconds @param after calls back after so many milliseconds */
  constructor(
    cpuMs: () => number = threadMs,
    after: (ms: number, next: () => void) => void = (ms, next) => setTimeout(next, ms).unref()
  ) {
    this.#cpuMs = cpuMs
    this.#after = after
  }

  /** Does it now or, as long as the holder has to rest, later. */
  run(holder: string, work: Work): void {
    const waiting = this.#waiting.get(holder)
    if (waiting === undefined) this.#do(holder, [], work)
    else waiting.push(work)
  }

  #do(holder: string, waiting: Work[], work: Work): void {
    const started = this.#cpuMs()
    this.#waiting.set(holder, waiting)
    work()
    const ms = this.#cpuMs() - started
    this.#after(ms * ms, () => {
      const next = waiting.shift()
      if (next === undefined) this.#waiting.delete(holder)
      else this.#do(holder, waiting, next)
    })
  }

  /**
   * A connector whose handshakes are bounded by the address that is connected to.
   * @param plain connects without TLS @param secure speaks TLS over what is connected
   */
  connector(plain: buildConnector.connector, secure: buildConnector.connector): buildConnector.connector {
    return (target, callback) => {
      if (target.protocol !== 'https:') return plain(target, callback)
      return plain({ ...target, protocol: 'http:', port: target.port || '443' }, (...[error, raw]) => {
        if (error !== null) return callback(error, null)
        const { remoteAddress } = raw
        const socket = this.over(raw, holderOf(remoteAddress))
        return secure({ ...target, httpSocket: socket as unknown as typeof raw }, (...[error, tls]) => {
          if (error !== null) return callback(error, null)
          socket.secured()
          // Over a stream that is none of Node's own it knows no address.
          callback(null, Object.defineProperty(tls, 'remoteAddress', { value: remoteAddress }))
        })
      })
    }
  }

  /** What TLS is to be spoken over, in place of what is connected; whoever does says when it is secure. */
  over(raw: Duplex, holder: string): HandshakeSocket {
    return new HandshakeSocket(raw, work => this.run(holder, work))
  }
}
