import type { Duplex } from 'node:stream'
import { LRUCache } from 'lru-cache'
import type { buildConnector } from 'undici'
import { atMost } from '../../collections/at-most.ts'
import { holderOf } from '../../fairness/address.ts'
import { WaitingLines } from '../../fairness/waiting-lines.ts'
import { threadMs } from '../../load/thread-ms.ts'
import { HandshakeSocket, type Turns } from './handshake-socket.ts'

/*
 * Bounds TLS with hosts that the operator did not choose. OpenSSL checks every certificate that it receives, trusted or
 * not, in one go, and its owner decides what that costs: a hundred kilobytes of keys with long exponents block the
 * event loop for half a second. So only few bytes are accepted (handshake-socket.ts), and then the holder rests for a
 * time that grows with the square of the milliseconds used: after two it hardly rests, and with seventy it gets a
 * hundredth of the time. A secure connection continues like this record by record: new keys and tickets are not data, so
 * the limits for readers of data do not see them. Its records have a line and rests of their own: anybody can begin
 * handshakes with another's forge, and each piece of an answer would wait for all of them. Handshakes with a holder are
 * done by turns of those who ask for them, so that one of them waits for one of each other.
 */

/** Returns whether it was of data alone. */
type Work = () => boolean

/** Milliseconds that a holder may use before it has to rest. */
const EACH_MS = 1
/** The same for all holders together, who then rest for as long as they used. */
const ALL_MS = 2

/**
 * The first piece of a holder in a minute counts as this many milliseconds at most: garbage may have been collected
 * meanwhile.
 */
const DOUBT_MS = 10
const DOUBT_FOR_MS = 60_000

/** The most that data can take. Longer times have another cause, such as garbage collection. */
const DATA_MS = 3

/** Most holders whose use is remembered; others count as having used nothing. */
const MAX_HOLDERS = 4_000

/** What one holder has of one kind of work. */
interface Holder {
  readonly waiting: WaitingLines<Work>
  spentMs: number
  rests: boolean
  /** Whether it recently had the benefit of the doubt. */
  doubted: boolean
}

type Holders = LRUCache<string, Holder>

/** For whom connections are made, and what each may bring. */
export interface AskedBounds {
  /** Who asks for the connection that is being made (fairness/address.ts); nobody is ''. */
  readonly asker: () => string
  /** Most bytes that one TLS connection may deliver, data or not; default unlimited. */
  readonly mostBytes?: number | undefined
}

/** Bounds the time that TLS takes on the event loop: for handshakes, and for anything else that is not data. */
export class Handshakes {
  readonly #cpuMs: () => number
  readonly #after: (ms: number, next: () => void) => void
  readonly #beginning: Holders = new LRUCache(atMost(MAX_HOLDERS))
  readonly #secure: Holders = new LRUCache(atMost(MAX_HOLDERS))
  /** Those that have work and need not rest, in order. */
  readonly #line = new Set<Holder>()
  #spentMs = 0
  #pauses = false
  #isServing = false

  /** @param cpuMs CPU time of this thread in milliseconds @param after calls back after so many milliseconds */
  constructor(
    cpuMs: () => number = threadMs,
    after: (ms: number, next: () => void) => void = (ms, next) => setTimeout(next, ms).unref()
  ) {
    this.#cpuMs = cpuMs
    this.#after = after
  }

  /**
   * Goes on with a handshake, now or, while its holder or all holders have to rest, later.
   * @param name of the holder: an address that is connected to, or a domain
   * @param asker who asks for it, as in AskedBounds
   */
  handshake(name: string, asker: string, run: () => void): void {
    this.#add(this.#beginning, name, asker, () => {
      run()
      return false
    })
  }

  /**
   * The same for a piece of a secure connection, of which each has one at a time.
   * @param run returns whether it was of data alone, which counts as a few milliseconds at most
   */
  data(name: string, run: () => boolean): void {
    this.#add(this.#secure, name, '', run)
  }

  #add(holders: Holders, name: string, asker: string, work: Work): void {
    let holder = holders.get(name)
    if (holder === undefined) {
      holder = { waiting: new WaitingLines(), spentMs: 0, rests: false, doubted: false }
      holders.set(name, holder)
    }
    holder.waiting.add(asker, work)
    if (!holder.rests) this.#queue(holder)
  }

  #queue(holder: Holder): void {
    this.#line.add(holder)
    if (!this.#isServing) this.#serve()
  }

  /** Runs the work of those in line, each until it has to rest, until all have to. */
  #serve(): void {
    this.#isServing = true
    try {
      for (const holder of this.#line) {
        if (this.#pauses) break
        this.#line.delete(holder)
        this.#runAll(holder)
      }
    } finally {
      this.#isServing = false
    }
  }

  #runAll(holder: Holder): void {
    while (!holder.rests && !this.#pauses) {
      const run = holder.waiting.take(() => 0)
      if (run === undefined) return
      const started = this.#cpuMs()
      const isData = run()
      const ms = this.#cpuMs() - started
      this.#pay(holder, isData ? Math.min(ms, DATA_MS) : ms)
    }
    if (!holder.rests && holder.waiting.size > 0) this.#line.add(holder)
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
        if (holder.waiting.size > 0) this.#queue(holder)
      })
    }
    if (this.#spentMs >= ALL_MS) {
      const pause = this.#spentMs
      this.#spentMs = 0
      this.#pauses = true
      this.#after(pause, () => {
        this.#pauses = false
        this.#serve()
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
   * @param domain what they are bounded by instead, where a proxy connects
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
          // Over a stream that is not a socket of Node, it does not know the address; that of a proxy says nothing.
          if (domain === undefined) Object.defineProperty(tls, 'remoteAddress', { value: remoteAddress })
          callback(null, tls)
        })
      })
    }
  }

  /** Wraps a raw connection for TLS. The caller tells the result when the connection is secure. */
  over(raw: Duplex, holder: string, asker = '', mostBytes?: number): HandshakeSocket {
    const turns: Turns = {
      handshake: work => this.handshake(holder, asker, work),
      data: work => this.data(holder, work)
    }
    return new HandshakeSocket(raw, turns, mostBytes)
  }
}
