import type { Duplex } from 'node:stream'
import { LRUCache } from 'lru-cache'
import type { buildConnector } from 'undici'
import { atMost } from '../../at-most.ts'
import { holderOf } from '../../edge/address.ts'
import { threadMs } from '../../thread-ms.ts'
import { HandshakeSocket } from './handshake-socket.ts'

/*
 * TLS with hosts that somebody else has chosen. OpenSSL checks every certificate that it is sent, trusted or not, in one
 * go, and what one costs is for its owner to say: a hundred kilobytes of keys with long exponents take half a second
 * of the event loop. So few bytes are taken (handshake-socket.ts), and then time goes by as the square of what they
 * took, in milliseconds: two of them are nothing, and who takes seventy gets a hundredth of the time. Once a connection is
 * secure it goes on so by small pieces: new keys and tickets are no data, so that whoever reads data sees nothing of them.
 */

interface Work {
  readonly run: () => void
  readonly mostMs: number
}

/** Milliseconds that a holder may take before it rests. */
const EACH_MS = 1
/** The same of all together, who then rest for as long as it was. */
const ALL_MS = 2

/** As so much counts the first piece of a holder in a minute that took longer: memory may have been collected meanwhile. */
const DOUBT_MS = 10
const DOUBT_FOR_MS = 60_000

/** Of whom it is known what they took: more are not kept apart from those who took nothing. */
const MAX_HOLDERS = 4_000

interface Holder {
  readonly waiting: Work[]
  spentMs: number
  rests: boolean
  /** It had the benefit of the doubt lately. */
  doubted: boolean
}

/** Bounds what TLS takes of the event loop: handshakes, and whatever comes over a connection beside data. */
export class Handshakes {
  readonly #cpuMs: () => number
  readonly #after: (ms: number, next: () => void) => void
  readonly #holders = new LRUCache<string, Holder>(atMost(MAX_HOLDERS))
  /** Those that wait for others to have paid, in turn. */
  readonly #line = new Set<Holder>()
  #spentMs = 0
  #pauses = false

  /** @param cpuMs what this thread has taken, in milliseconds @param after calls back after so many milliseconds */
  constructor(
    cpuMs: () => number = threadMs,
    after: (ms: number, next: () => void) => void = (ms, next) => setTimeout(next, ms).unref()
  ) {
    this.#cpuMs = cpuMs
    this.#after = after
  }

  /**
   * Does it now or, as long as the holder or all of them have to rest, later.
   * @param mostMs as what it counts at most, in milliseconds
   */
  run(name: string, run: () => void, mostMs = Number.POSITIVE_INFINITY): void {
    let holder = this.#holders.get(name)
    if (holder === undefined) {
      holder = { waiting: [], spentMs: 0, rests: false, doubted: false }
      this.#holders.set(name, holder)
    }
    holder.waiting.push({ run, mostMs })
    if (holder.waiting.length === 1) this.#serve(holder)
  }

  /** Does what waits of one, until it has to rest or all have. */
  #serve(holder: Holder): void {
    this.#line.delete(holder)
    while (!holder.rests && !this.#pauses && holder.waiting.length > 0) {
      const started = this.#cpuMs()
      const { run, mostMs } = holder.waiting[0]!
      run()
      holder.waiting.shift()
      this.#pay(holder, Math.min(this.#cpuMs() - started, mostMs))
    }
    if (!holder.rests && holder.waiting.length > 0) this.#line.add(holder)
  }

  #pay(holder: Holder, ms: number): void {
    holder.spentMs += this.#counted(holder, ms)
    this.#spentMs += ms
    if (holder.spentMs >= EACH_MS) {
      const rest = holder.spentMs ** 2
      holder.spentMs = 0
      holder.rests = true
      this.#after(rest, () => {
        holder.rests = false
        this.#serve(holder)
      })
    }
    if (this.#spentMs >= ALL_MS) {
      const pause = this.#spentMs
      this.#spentMs = 0
      this.#pauses = true
      this.#after(pause, () => {
        this.#pauses = false
        for (const next of [...this.#line]) this.#serve(next)
      })
    }
  }

  #counted(holder: Holder, ms: number): number {
    if (ms <= DOUBT_MS || holder.doubted) return ms
    holder.doubted = true
    this.#after(DOUBT_FOR_MS, () => {
      holder.doubted = false
    })
    return DOUBT_MS
  }

  /**
   * A connector whose handshakes are bounded by the address that is connected to.
   * @param plain connects without TLS @param secure speaks TLS over what is connected
   * @param mostBytes of one connection
   */
  connector(
    plain: buildConnector.connector,
    secure: buildConnector.connector,
    mostBytes?: number
  ): buildConnector.connector {
    return (target, callback) => {
      if (target.protocol !== 'https:') return plain(target, callback)
      return plain({ ...target, protocol: 'http:', port: target.port || '443' }, (...[error, raw]) => {
        if (error !== null) return callback(error, null)
        const { remoteAddress } = raw
        const socket = this.over(raw, holderOf(remoteAddress), mostBytes)
        return secure({ ...target, httpSocket: socket as unknown as typeof raw }, (...[error, tls]) => {
          if (error !== null) return callback(error, null)
          socket.secured(tls)
          // Over a stream that is none of Node's own it knows no address.
          callback(null, Object.defineProperty(tls, 'remoteAddress', { value: remoteAddress }))
        })
      })
    }
  }

  /** What TLS is to be spoken over, in place of what is connected; whoever does says when it is secure. */
  over(raw: Duplex, holder: string, mostBytes?: number): HandshakeSocket {
    return new HandshakeSocket(raw, (work, mostMs) => this.run(holder, work, mostMs), mostBytes)
  }
}
