import { SharedCache } from '../shared-cache.ts'
import { CallerGates } from '../upstream/guard/caller-gates.ts'
import { type FoundDocument, isDocumentUrl } from './client-document.ts'
import { OAuthError, unavailable } from './error.ts'
import type { Client } from './registration.ts'
import type { OAuthStorage } from './storage.ts'

/** Who has most of them fetched makes room. */
const MAX_DOCUMENTS = 500
/** A document that failed is not asked for again before that, in milliseconds. */
const FAILED_MS = 30_000

/** Documents that one address may have fetched at once: whose server keeps silent takes its own places. */
const ofAddress = { limit: 4, queue: 8, waitMs: 5_000 }

const tooMany = () =>
  unavailable('Too many client metadata documents are being fetched for this address. Try again in a moment.')

const noClient = (why: string) => new OAuthError(400, 'invalid_client', why)
const notOfForm =
  'A client_id that is a URL must be https, with a path and without port, user, query, fragment or dot segments, spelt as a browser spells it.'

type Known = { readonly client: Client } | { readonly failure: unknown }

/** Finds clients: those that registered, and, where that is allowed, those that are a document somewhere. */
export class Clients {
  readonly #storage: Pick<OAuthStorage, 'client'>
  readonly #fetch: ((id: string) => Promise<FoundDocument>) | undefined
  readonly #documents: SharedCache<Known>
  /** Apart from those that were found: anybody can name thousands that fail. */
  readonly #failures: SharedCache<Known>
  readonly #turns = new CallerGates(ofAddress, tooMany)
  readonly #fetching = new Map<string, Promise<Known>>()

  /** @param fetch gets a document; left out, URLs are no client ids */
  constructor(
    storage: Pick<OAuthStorage, 'client'>,
    fetch?: (id: string) => Promise<FoundDocument>,
    now: () => number = Date.now
  ) {
    this.#storage = storage
    this.#fetch = fetch
    this.#documents = new SharedCache(MAX_DOCUMENTS, FAILED_MS, now)
    this.#failures = new SharedCache(MAX_DOCUMENTS, FAILED_MS, now)
  }

  /**
   * @param from who asks (Asker)
   * @throws OAuthError invalid_client for a document that cannot be used and for a URL that names none,
   * temporarily_unavailable where the address has too many under way
   */
  async find(id: string, from: string): Promise<Client | undefined> {
    // No client that registers gets one.
    if (!/^https?:/i.test(id)) return this.#storage.client(id)
    if (this.#fetch === undefined) throw noClient('No clients are known by URL here: register the client.')
    if (!isDocumentUrl(id)) throw noClient(notOfForm)
    const known =
      this.#documents.get(id) ?? this.#failures.get(id) ?? (await this.#getOnce(id, from, this.#fetch))
    if ('failure' in known) throw known.failure as OAuthError
    return known.client
  }

  async #getOnce(id: string, from: string, fetch: (id: string) => Promise<FoundDocument>): Promise<Known> {
    await this.#turns.enter(from)
    try {
      const running = this.#fetching.get(id)
      if (running !== undefined) return await running
      const getting = this.#get(id, from, fetch).finally(() => this.#fetching.delete(id))
      this.#fetching.set(id, getting)
      return await getting
    } finally {
      this.#turns.leave(from)
    }
  }

  async #get(id: string, from: string, fetch: (id: string) => Promise<FoundDocument>): Promise<Known> {
    try {
      const { client, ttlMs } = await fetch(id)
      this.#documents.set(id, { client }, from, ttlMs)
      return { client }
    } catch (failure) {
      this.#failures.set(id, { failure }, from)
      return { failure }
    }
  }
}
