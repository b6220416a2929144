import type { Dispatcher } from 'undici'
import type { Session } from '../session/store.ts'
import type { ExchangeLimits } from './answers/exchange.ts'
import { upstreamLimits } from './connections/dispatcher.ts'
import type { HostPolicy } from './connections/hosts.ts'
import { ClientPool, type Closable, type EvictionReason, PoolCapacityError } from './connections/pool.ts'
import { Shares } from './connections/shares.ts'
import { apiBase } from './connections/url.ts'
import { CallerForgeClient, type CallScope, type Upstream } from './forge.ts'
import { busy, CallerGates } from './guard/gate.ts'
import { Guard, type GuardEvents } from './guard/guard.ts'
import { HeavyAnswers } from './guard/heavy.ts'

/** What happens on the way to forges, for the log and the metrics. */
export interface ForgeEvents extends GuardEvents {
  onEvicted?(reason: EvictionReason): void
}

/** FORGE_API_URL's, or callers' own forges'. */
type SessionsOf = 'home' | 'callers'

export interface ForgesOptions extends ForgeEvents {
  /** FORGE_API_URL, normalized. */
  readonly home: string
  readonly dispatcher: (of: SessionsOf) => Dispatcher
  readonly hosts: Readonly<Record<SessionsOf, HostPolicy | undefined>>
  readonly userAgent: string
  /** FORGE_POOL_MAX_SIZE */
  readonly poolSize: number
  /** FORGE_POOL_IDLE_TIMEOUT, milliseconds */
  readonly poolIdleMs: number
  /** Clock in milliseconds. */
  readonly now: () => number
  /** Bounds of an answer; default upstreamLimits. */
  readonly limits?: ExchangeLimits & { readonly streamMs: number }
}

/** A caller's client for one call. */
export interface ForgeLease {
  readonly client: CallerForgeClient
  /** The host that is asked. */
  readonly host: string
  release(): void
}

interface Link extends Upstream, Closable {
  /** With its port. */
  readonly host: string
}

const defaultLimits = {
  maxBytes: upstreamLimits.maxJsonBytes,
  deadlineMs: upstreamLimits.totalMs,
  streamMs: upstreamLimits.streamMs
}

const nothing = (): void => {}

/** With its port, of a normalized URL. */
const hostOf = (apiUrl: string): string => apiUrl.split('/', 3)[2]!

/**
 * The connections to every forge. FORGE_API_URL has its own, which nothing evicts; others are pooled by URL.
 */
export class Forges {
  readonly #options: ForgesOptions
  readonly #callers = new CallerGates(
    upstreamLimits.caller,
    busy(upstreamLimits.caller.limit, 'of this caller')
  )
  readonly #heavy = new HeavyAnswers()
  readonly #home: Link
  readonly #homeLease: { readonly client: Link; release(): void }
  readonly #pool: ClientPool<Link>
  readonly #ofCallers: Shares
  readonly #ofHosts: Shares

  constructor(options: ForgesOptions) {
    this.#options = options
    this.#home = this.#link(options.home, 'home')
    this.#homeLease = { client: this.#home, release: nothing }
    this.#ofCallers = new Shares(options.poolSize)
    this.#ofHosts = new Shares(options.poolSize)
    this.#pool = new ClientPool(url => this.#link(url, 'callers'), {
      maxSize: options.poolSize,
      idleMs: options.poolIdleMs,
      now: options.now,
      onEvicted: reason => options.onEvicted?.(reason)
    })
  }

  /** Pooled forges: how many, how many of them in use, and how many fit. */
  get pool(): { readonly size: number; readonly busy: number; readonly max: number } {
    return { size: this.#pool.size, busy: this.#pool.busy, max: this.#options.poolSize }
  }

  /**
   * A client for one call of a session. Whoever gets it releases it.
   * @throws PoolCapacityError
   */
  lease({ credential, apiUrl }: Session, scope: CallScope = {}): ForgeLease {
    const { client: link, release } =
      apiUrl === undefined ? this.#homeLease : this.#acquire(apiUrl, scope.caller ?? credential.token)
    return { client: new CallerForgeClient(link, credential, scope), host: link.host, release }
  }

  #acquire(apiUrl: string, caller: string): { client: Link; release(): void } {
    const giveBack = this.#takeShares(apiUrl, caller)
    try {
      const { client, release } = this.#pool.acquire(apiUrl)
      let released = false
      return {
        client,
        release: () => {
          release()
          if (!released) giveBack()
          released = true
        }
      }
    } catch (error) {
      giveBack()
      throw error
    }
  }

  /** @returns what gives them back @throws PoolCapacityError */
  #takeShares(apiUrl: string, caller: string): () => void {
    const host = hostOf(apiUrl)
    if (!this.#ofCallers.take(caller, apiUrl)) throw new PoolCapacityError()
    if (!this.#ofHosts.take(host, apiUrl)) {
      this.#ofCallers.give(caller, apiUrl)
      throw new PoolCapacityError()
    }
    return () => {
      this.#ofCallers.give(caller, apiUrl)
      this.#ofHosts.give(host, apiUrl)
    }
  }

  /** Closes pooled connections that were idle for too long. */
  sweep(): void {
    this.#pool.sweep()
  }

  async close(): Promise<void> {
    await Promise.all([this.#home.destroy(), this.#pool.close()])
  }

  #link(apiUrl: string, of: SessionsOf): Link {
    const { hosts, limits = defaultLimits, userAgent } = this.#options
    const dispatcher = this.#options.dispatcher(of)
    return {
      base: apiBase(apiUrl),
      host: hostOf(apiUrl),
      dispatcher,
      limits,
      streamMs: limits.streamMs,
      userAgent,
      hosts: hosts[of],
      heavy: this.#heavy,
      guard: new Guard({
        ...this.#options,
        limits: upstreamLimits.forge,
        strangers: upstreamLimits.strangers,
        callers: this.#callers
      }),
      close: () => dispatcher.close(),
      destroy: () => dispatcher.destroy()
    }
  }
}
