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

/** Most documents that are kept. Beyond that, the holder who had the most fetched loses one. */
const MAX_DOCUMENTS = 500
/** How long a document whose fetch failed is not fetched again, in milliseconds. */
const FAILED_MS = 30_000
/**
 * How long an expired document stays valid while its host says nothing about it, in milliseconds; the same time as for
 * names. Without it, anybody could end a client's logins by keeping its host busy.
 */
const STALE_MS = DAY_MS

/**
 * Documents that one address may have fetched at once. They are shared among sites: a site whose server does not answer
 * uses up only its own places.
 */
const ofAddress = { limit: 4, queue: 8, waitMs: 5_000, shared: true }

/**
 * Documents that are fetched at once, shared among addresses. Each may need a DNS look-up, so there are as many as
 * there are look-ups. Anybody can have names whose servers do not answer.
 */
const ofAll = { limit: documentNames.atOnce, queue: 1_024, waitMs: 5_000, shared: true }

/**
 * Documents that are fetched from one host at once, shared among addresses: the next turn goes to the address with the
 * fewest.
 */
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

/** Whether a client id is a URL; registered clients never get an id of this form. */
const isUrl = (id: string): boolean => /^https?:/i.test(id)

/** The site whose server a document is on. All IP addresses count as one site, because anybody can have some. */
function hostGroupOf(id: string): string {
  const { hostname } = new URL(id)
  return isIpAddress(hostname) ? 'addresses' : domainOf(hostname)
}

/** Finds clients: registered ones and, if allowed, those whose id is the URL of a document. */
export class Clients {
  readonly #storage: Pick<OAuthStorage, 'client'>
  readonly #fetch: Fetch | undefined
  readonly #documents: SharedCache<{
    readonly client: Client
    readonly until: number
    /**
     * Its holder: whoever had it fetched first. If later holders replaced the first, anybody could take the document
     * over and then displace it.
     */
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
   * Whether tokens of a client are still valid, which they are until its registration ends. Documents are not fetched
   * for this: they only say where logins may lead, and anybody can send a document's URL with an invalid token.
   * @throws OAuthError as `find` does, for a URL that names no document
   */
  knows(id: string): boolean {
    if (!isUrl(id)) return this.#storage.client(id) !== undefined
    this.#fetchOf(id)
    return true
  }

  /** The name that a known client gives itself, if it has one. A client that is a document is named by its URL. */
  nameOf(id: string): string | undefined {
    return isUrl(id) ? id : this.#storage.client(id)?.name
  }

  /**
   * @param from who asks (LoginCaller)
   * @param gone ends the wait for a fetch that somebody else has started
   * @throws OAuthError invalid_client for a document that cannot be used and for a URL that names no document;
   * temporarily_unavailable if too many fetches are in progress; Refusal 499 once `gone` aborts
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

  /** What is already known of a document, without a request. */
  #recent(id: string): Known | undefined {
    const kept = this.#documents.get(id)
    return kept !== undefined && this.#now() <= kept.until ? kept : this.#failures.get(id)
  }

  #fetchOf(id: string): Fetch {
    if (this.#fetch === undefined) throw noClient('No clients are known by URL here: register the client.')
    if (!isDocumentUrl(id)) throw noClient(notOfForm)
    return this.#fetch
  }

  /** Joins a running fetch: an office whose people log in to one client at once needs only one turn. */
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
      // The turn at the host comes second, so that documents which wait for their turn among all do not keep the host
      // busy.
      new Turns(this.#ofAll, new As(new URL(id).host, this.#ofHost, from))
    )
    const turn = turns.enter(from)
    try {
      // No wait if there is none, so that the next caller finds the fetch in progress.
      if (turn !== undefined) await turn
    } catch (failure) {
      return { failure }
    }
    try {
      // Somebody else may have fetched the document in the meantime.
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
