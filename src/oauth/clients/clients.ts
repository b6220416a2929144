import { CancelledError, type CancelSignal } from '../../base/cancellation.ts'
import { domainOf, isIpAddress } from '../../base/host-names.ts'
import { DAY_MS } from '../../base/units.ts'
import { SharedCache } from '../../collections/shared-cache.ts'
import { FairTurns } from '../../fairness/fair-turns.ts'
import { SharedWait } from '../../fairness/shared-wait.ts'
import { turnShares } from '../../fairness/turn-shares.ts'
import { callerGone } from '../../protocol/messages/body-refusals.ts'
import { CallerGates } from '../../upstream/guard/caller-gates.ts'
import { Gate } from '../../upstream/guard/gate.ts'
import { As, Turns } from '../../upstream/guard/turns.ts'
import { documentNames } from '../../upstream/hosts/lookup.ts'
import { OAuthError, unavailable } from '../rules/error.ts'
import type { Client } from '../rules/registration.ts'
import type { OAuthStorage } from '../storage/storage.ts'
import {
  documentDispatch,
  type FoundDocument,
  isDocumentUrl,
  UnansweredDocumentError,
  UnaskedDocumentError
} from './client-document.ts'

/** Most documents that are kept; whoever had the most fetched makes room. */
const MAX_DOCUMENTS = 500
/** How long a document that failed is not fetched again, in milliseconds. */
const FAILED_MS = 30_000
/**
 * How long an expired document stays valid while its host says nothing about it, in milliseconds; the same time as for
 * names. Anybody can keep a host busy.
 */
const STALE_MS = DAY_MS

/**
 * Documents that one address may have fetched at once, shared among sites: a site whose server does not answer only
 * uses up its own places.
 */
const ofAddress = { limit: 4, queue: 8, waitMs: 5_000, shared: true }

/**
 * Documents that are fetched at once, shared among addresses: each may need a look-up, of which there are as many, and
 * anybody can have names whose servers do not answer.
 */
const ofAll = { limit: documentNames.atOnce, queue: 1_024, waitMs: 5_000, shared: true }

/** Documents of one host at once, shared among addresses: the next turn goes to whoever holds the fewest. */
const ofHost = {
  limit: documentDispatch.bounds.connections,
  queue: 1_024,
  waitMs: 5_000,
  shared: true
}

const tooMany = (where: string) => () =>
  unavailable(`Too many client metadata documents are being fetched ${where}. Try again in a moment.`)

const noClient = (why: string) => new OAuthError(400, 'invalid_client', why)
const notOfForm =
  'A client_id that is a URL must be https, with a path and without port, user, query, fragment or dot segments, spelt as a browser spells it.'

type Fetch = (id: string, from: string) => Promise<FoundDocument>
type Known = { readonly client: Client } | { readonly failure: unknown }

/** Registered clients never get an id of this form. */
const isUrl = (id: string): boolean => /^https?:/i.test(id)

/** The site whose server a document is on. All IP addresses count as one site, because anybody can have some. */
function hostGroupOf(id: string): string {
  const { hostname } = new URL(id)
  return isIpAddress(hostname) ? 'addresses' : domainOf(hostname)
}

/** Finds clients: those that registered, and, where that is allowed, those that are a document somewhere. */
export class Clients {
  readonly #storage: Pick<OAuthStorage, 'client'>
  readonly #fetch: Fetch | undefined
  readonly #documents: SharedCache<{
    readonly client: Client
    readonly until: number
    /** Its holder: who had it fetched first. Otherwise anybody could make it theirs, and push it out. */
    readonly from: string
  }>
  /** Kept apart from documents that were found, because anybody can name thousands that fail. */
  readonly #failures: SharedCache<{ readonly failure: unknown }>
  readonly #ofAddress = new CallerGates(ofAddress, tooMany('for this address'))
  readonly #ofHost = new CallerGates(ofHost, tooMany('from this host'))
  readonly #ofAll = new Gate(ofAll, tooMany('for all addresses, or for this one'))
  readonly #fetching = new Map<string, SharedWait<Known>>()
  readonly #resumed = new FairTurns(turnShares.resumed)
  readonly #now: () => number

  /** @param fetch fetches a document; without it, URLs are not valid client ids */
  constructor(
    storage: Pick<OAuthStorage, 'client'>,
    fetch?: Fetch,
    now: () => number = () => performance.now()
  ) {
    this.#storage = storage
    this.#fetch = fetch
    this.#now = now
    this.#documents = new SharedCache(MAX_DOCUMENTS, FAILED_MS, now)
    this.#failures = new SharedCache(MAX_DOCUMENTS, FAILED_MS, now)
  }

  /**
   * Whether tokens of a client are still valid, which is so until its registration ends. Documents are not fetched for
   * this: they only say where logins may lead, and anybody can send the URL of one with an invalid token.
   * @throws OAuthError as `find`, for a URL that names no document
   */
  knows(id: string): boolean {
    if (!isUrl(id)) return this.#storage.client(id) !== undefined
    this.#fetchOf(id)
    return true
  }

  /** What a client that is known calls itself, if anything; one that is a document is named by its URL. */
  nameOf(id: string): string | undefined {
    return isUrl(id) ? id : this.#storage.client(id)?.name
  }

  /**
   * @param from who asks (LoginCaller)
   * @param gone ends the wait for what somebody else is having fetched
   * @throws OAuthError invalid_client for a document that cannot be used and for a URL that names none,
   * temporarily_unavailable where too many are under way; Refusal 499 once `gone`
   */
  async find(id: string, from: string, gone?: CancelSignal): Promise<Client | undefined> {
    if (!isUrl(id)) return this.#storage.client(id)
    const fetch = this.#fetchOf(id)
    const known = this.#recent(id) ?? (await this.#getOnce(id, from, fetch, gone))
    if ('client' in known) return known.client
    const stale = this.#documents.get(id)
    if (stale !== undefined) return stale.client
    throw known.failure as OAuthError
  }

  /** What is known of a document without asking for it. */
  #recent(id: string): Known | undefined {
    const kept = this.#documents.get(id)
    return kept !== undefined && this.#now() <= kept.until ? kept : this.#failures.get(id)
  }

  #fetchOf(id: string): Fetch {
    if (this.#fetch === undefined) throw noClient('No clients are known by URL here: register the client.')
    if (!isDocumentUrl(id)) throw noClient(notOfForm)
    return this.#fetch
  }

  /** An office that logs in to one client at once needs one turn. */
  #getOnce(id: string, from: string, fetch: Fetch, gone: CancelSignal | undefined): Promise<Known> {
    const running = this.#fetching.get(id)
    if (running === undefined) return this.#getInTurn(id, from, fetch)
    return this.#resumed.behind(from, running, gone).catch(error => {
      throw error instanceof CancelledError ? callerGone() : error
    })
  }

  async #getInTurn(id: string, from: string, fetch: Fetch): Promise<Known> {
    const turns = new Turns(
      new As(from, this.#ofAddress, hostGroupOf(id)),
      // A host that many documents are wanted of is not kept busy by those that wait for their turn among all.
      new Turns(this.#ofAll, new As(new URL(id).host, this.#ofHost, from))
    )
    const turn = turns.enter(from)
    try {
      // Without a wait, so that whoever asks next finds the fetch under way.
      if (turn !== undefined) await turn
    } catch (failure) {
      return { failure }
    }
    try {
      // Somebody else may have asked for it in the meantime.
      const known = this.#recent(id)
      if (known !== undefined) return known
      const getting =
        this.#fetching.get(id) ?? new SharedWait(this.#get(id, from, fetch), () => this.#fetching.delete(id))
      this.#fetching.set(id, getting)
      return await getting.wait(undefined)
    } finally {
      turns.leave(from)
    }
  }

  async #get(id: string, from: string, fetch: Fetch): Promise<Known> {
    try {
      const { client, ttlMs } = await fetch(id, from)
      const holder = this.#documents.get(id)?.from ?? from
      const until = this.#now() + ttlMs
      this.#documents.set(id, { client, until, from: holder }, holder, ttlMs + STALE_MS)
      return { client }
    } catch (failure) {
      if (failure instanceof UnaskedDocumentError) return { failure }
      if (!(failure instanceof UnansweredDocumentError)) this.#documents.delete(id)
      this.#failures.set(id, { failure }, from)
      return { failure }
    }
  }
}
