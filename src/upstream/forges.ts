import type { Dispatcher } from 'undici'
import type { CancelSignal } from '../base/cancellation.ts'
import { holderOf, turnHolderOf } from '../base/holders.ts'
import { hostOf } from '../base/host-names.ts'
import type { AtWork } from '../fairness/at-work.ts'
import { FairTurns } from '../fairness/fair-turns.ts'
import { SharedWait } from '../fairness/shared-wait.ts'
import { turnShares } from '../fairness/turn-shares.ts'
import type { Session } from '../session/store.ts'
import { type DispatcherOptions, upstreamLimits } from './connections/dispatcher.ts'
import type { SessionsOf } from './connections/network.ts'
import { CallerForgeClient } from './forge.ts'
import { CallerGates } from './guard/caller-gates.ts'
import { type Concurrency, concurrencyOf } from './guard/concurrency.ts'
import { busy, busyShare, type Stage } from './guard/gate.ts'
import { Guard } from './guard/guard.ts'
import type { GuardEvents, GuardOptions } from './guard/guard-options.ts'
import type { Refusing } from './guard/refusing.ts'
import type { Told, Trouble } from './guard/trouble.ts'
import { ByAddress } from './guard/turns.ts'
import type { HostPolicy } from './hosts/hosts.ts'
import type { FoundHost } from './hosts/names.ts'
import { apiBase } from './hosts/url.ts'
import { Places } from './pool/places.ts'
import { ClientPool, type Closable, type EvictionReason, type Lease } from './pool/pool.ts'
import { AnswerRoom, answerRoomLimits } from './reading/answer-room.ts'
import type { ExchangeLimits } from './reading/exchange.ts'
import { LargeAnswers } from './reading/large-answers.ts'
import { LargeRequests } from './reading/large-requests.ts'
import type { CallScope, Upstream } from './upstream.ts'

/** Events of requests to forges, for the log and the metrics. */
interface ForgeEvents
  extends Omit<GuardEvents, 'onExchange' | 'onRefused' | 'onCircuit' | 'onTrouble' | 'onRefusing'> {
  onExchange?(outcome: number | string, seconds: number, of: SessionsOf): void
  onRefused?(reason: 'busy' | 'down', of: SessionsOf): void
  onCircuit?(open: boolean, host: string): void
  onRefusing?(refusing: Refusing | undefined, host: string, of: SessionsOf): void
  onTrouble?(host: string, trouble: Trouble, told?: Told): void
  onEvicted?(reason: EvictionReason, host: string): void
  /** A call takes a client out of the pool. */
  onAcquired?(how: 'made' | 'reused', host: string): void
}

export interface ForgesOptions extends ForgeEvents, Pick<GuardOptions, 'standstill'> {
  /** FORGE_API_URL, normalized. */
  readonly home: string
  /** @param known what is known of the forge */
  readonly dispatcher: (of: SessionsOf, known: Pick<DispatcherOptions, 'hasServed' | 'lookup'>) => Dispatcher
  readonly hosts: Readonly<Record<SessionsOf, HostPolicy | undefined>>
  readonly userAgent: string
  /** Finds the host of a caller's forge. Default: only its name is known. */
  readonly find?: (hostname: string) => Promise<FoundHost>
  /** FORGE_MAX_CONCURRENCY */
  readonly concurrency: number
  /** FORGE_POOL_MAX_SIZE */
  readonly poolSize: number
  /** FORGE_POOL_IDLE_TIMEOUT, milliseconds */
  readonly poolIdleMs: number
  /** Clock in milliseconds. */
  readonly now: () => number
  /** The work that large requests and answers are a part of; default none. */
  readonly atWork?: AtWork
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
  /** The host with its port. */
  readonly host: string
  /** The addresses of the host, as far as they are known. */
  readonly addresses: readonly string[]
  readonly guard: Guard
}

const defaultLimits = {
  maxBytes: upstreamLimits.maxJsonBytes,
  deadlineMs: upstreamLimits.totalMs,
  streamMs: upstreamLimits.streamMs
}

const nothing = (): void => {}

/**
 * The connections to every forge. FORGE_API_URL has its own, which nothing evicts; others are pooled by URL.
 */
export class Forges {
  readonly #options: ForgesOptions
  readonly #concurrency: Concurrency
  readonly #callers: CallerGates
  readonly #addresses: Stage
  readonly #resumed = new FairTurns(turnShares.resumed)
  readonly #largeAnswers = new LargeAnswers()
  readonly #room = new AnswerRoom()
  readonly #leaving: LargeRequests
  readonly #home: Link
  readonly #homeLease: Lease<Link>
  readonly #pool: ClientPool<Link>
  readonly #places: Places
  /** Hosts that are being looked up, by URL. */
  readonly #finding = new Map<string, SharedWait<FoundHost>>()

  constructor(options: ForgesOptions) {
    this.#options = options
    const { atWork } = options
    this.#leaving = new LargeRequests(atWork && { whole: atWork })
    // Answers leave less room for other work only beyond one holder's share, which is theirs whatever else is at work.
    atWork?.leaves(() => Math.max(0, this.#room.size - answerRoomLimits.each))
    this.#concurrency = concurrencyOf(options.concurrency)
    const { address, caller } = this.#concurrency
    this.#callers = new CallerGates(caller, busy('of this caller'))
    this.#addresses = new ByAddress(
      new CallerGates(address, busyShare('from this address to forges that callers name'))
    )
    this.#home = this.#link(options.home, 'home', { addresses: [] })
    this.#homeLease = { client: this.#home, release: nothing }
    this.#places = new Places(options.poolSize)
    this.#pool = new ClientPool({
      maxSize: options.poolSize,
      idleMs: options.poolIdleMs,
      now: options.now,
      onEvicted: (reason, url) => options.onEvicted?.(reason, hostOf(url))
    })
  }

  /** Pooled forges: how many, and how many fit. */
  get pool(): { readonly size: number; readonly max: number } {
    return { size: this.#pool.size, max: this.#options.poolSize }
  }

  /**
   * For how many milliseconds forges have answered nobody who asked: `home` for the forge of FORGE_API_URL, `callers`
   * for the longest such time of those that callers name.
   */
  get silentMs(): Readonly<Record<SessionsOf, number>> {
    const callers = this.#pool.clients.map(({ guard }) => guard.silentMs)
    return { home: this.#home.guard.silentMs, callers: Math.max(0, ...callers) }
  }

  /** Bytes of answers that are being read. */
  get held(): number {
    return this.#room.size
  }

  /**
   * A client for one call of a session. Whoever gets it must release it.
   * @param gone ends the wait for the client, also for a write, because nothing has been sent yet
   * @returns a promise if the host of a caller's forge has to be looked up first
   * @throws PoolCapacityError, as a rejection too; CancelledError, as a rejection
   */
  lease(
    { credential, apiUrl }: Session,
    scope: CallScope = {},
    gone?: CancelSignal
  ): ForgeLease | Promise<ForgeLease> {
    const leaseOf = ({ client: link, release }: Lease<Link>): ForgeLease => {
      const client = new CallerForgeClient(link, credential, scope)
      return {
        client,
        host: link.host,
        release() {
          client.release()
          release()
        }
      }
    }
    if (apiUrl === undefined) return leaseOf(this.#homeLease)
    const known = this.#pool.peek(apiUrl)
    const from = scope.from && holderOf(scope.from)
    const isStranger = known?.isProven !== true
    const { caller = credential.token } = scope
    const giveBack = this.#places.ask({
      url: apiUrl,
      caller,
      from,
      isStranger
    })
    if (known !== undefined) return leaseOf(this.#acquire(apiUrl, from, known, giveBack))
    return this.#resumed.behind(turnHolderOf({ caller, from }), this.#finder(apiUrl), gone).then(
      found => leaseOf(this.#acquire(apiUrl, from, found, giveBack)),
      error => {
        giveBack()
        throw error
      }
    )
  }

  /** @param giveBack called with the release, or at once if there is no room */
  #acquire(apiUrl: string, from: string | undefined, found: FoundHost, giveBack: () => void): Lease<Link> {
    const returns = [giveBack]
    const releaseAll = () => {
      for (const one of returns.splice(0)) one()
    }
    try {
      returns.push(this.#places.at(found.addresses, apiUrl, from))
      let how: 'made' | 'reused' = 'reused'
      const { client, release } = this.#pool.acquire(apiUrl, () => {
        how = 'made'
        return this.#link(apiUrl, 'callers', found)
      })
      returns.push(release)
      this.#options.onAcquired?.(how, client.host)
      return { client, release: releaseAll }
    } catch (error) {
      releaseAll()
      throw error
    }
  }

  /** Looks a new forge up once for all who want it at the same time. */
  #finder(apiUrl: string): SharedWait<FoundHost> {
    const running = this.#finding.get(apiUrl)
    if (running !== undefined) return running
    const finding = new SharedWait(this.#find(apiUrl), () => this.#finding.delete(apiUrl))
    this.#finding.set(apiUrl, finding)
    return finding
  }

  /**
   * Finds where a forge is. The addresses are those that it is counted by, always in the same order. If none is found,
   * its name is used: connecting will fail then, and tell why.
   */
  async #find(apiUrl: string): Promise<FoundHost> {
    const { hostname } = new URL(apiUrl)
    const found = await this.#options.find?.(hostname).catch(() => undefined)
    return { ...found, addresses: [...new Set((found?.addresses ?? [hostname]).map(holderOf))].sort() }
  }

  /** Closes pooled connections that were idle for too long. */
  sweep(): void {
    this.#pool.sweep()
  }

  async close(): Promise<void> {
    await Promise.all([
      this.#home.destroy(),
      this.#pool.close(),
      this.#largeAnswers.close(),
      this.#leaving.close()
    ])
  }

  #link(apiUrl: string, of: SessionsOf, { addresses, lookup }: FoundHost): Link {
    const { hosts, limits = defaultLimits, userAgent } = this.#options
    const host = hostOf(apiUrl)
    const { onExchange, onRefused, onCircuit, onTrouble, onRefusing, onRetry, standstill } = this.#options
    const guard = new Guard({
      standstill,
      onRetry: reason => onRetry?.(reason),
      onExchange: (outcome, seconds) => onExchange?.(outcome, seconds, of),
      onRefused: reason => onRefused?.(reason, of),
      onCircuit: open => onCircuit?.(open, host),
      onRefusing: refusing => onRefusing?.(refusing, host, of),
      onTrouble: (trouble, told) =>
        onTrouble?.(host, trouble, { ...told, isPlain: apiUrl.startsWith('http:') }),
      limits: this.#concurrency.forge,
      strangers: this.#concurrency.strangers,
      callers: this.#callers,
      addresses: of === 'home' ? undefined : this.#addresses,
      resumed: this.#resumed
    })
    const dispatcher = this.#options.dispatcher(of, {
      hasServed: () => guard.hasServed,
      ...(lookup !== undefined && { lookup })
    })
    // All of its addresses: with only one of them, anybody's name could count as another's forge by listing that
    // address before its own. Once an answer arrives, it counts for the address it comes from (holderOfAnswer).
    const holder = addresses.join(' ') || host
    const reading = { largeAnswers: this.#largeAnswers, room: this.#room, leaving: this.#leaving }
    return {
      base: apiBase(apiUrl),
      host,
      addresses,
      holder,
      get isProven() {
        return guard.hasServed
      },
      dispatcher,
      limits,
      streamMs: limits.streamMs,
      userAgent,
      hosts: hosts[of],
      reading: of === 'home' ? reading : { ...reading, holder },
      guard,
      close: () => dispatcher.close(),
      destroy: () => dispatcher.destroy()
    }
  }
}
