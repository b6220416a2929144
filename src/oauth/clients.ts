import { LRUCache } from 'lru-cache'
import { type FoundDocument, isDocumentUrl } from './client-document.ts'
import type { OAuthError } from './error.ts'
import type { Client } from './registration.ts'
import type { OAuthStorage } from './storage.ts'

const MAX_DOCUMENTS = 500
/** A document that failed is not asked for again before that, in milliseconds. */
const FAILED_MS = 30_000

type Known = { readonly client: Client } | { readonly failure: unknown }

/** Finds clients: those that registered, and, where that is allowed, those that are a document somewhere. */
export class Clients {
  readonly #storage: Pick<OAuthStorage, 'client'>
  readonly #fetch: ((id: string) => Promise<FoundDocument>) | undefined
  readonly #documents: LRUCache<string, Known>
  readonly #fetching = new Map<string, Promise<Known>>()

  /** @param fetch gets a document; left out, URLs are no client ids */
  constructor(
    storage: Pick<OAuthStorage, 'client'>,
    fetch?: (id: string) => Promise<FoundDocument>,
    now: () => number = Date.now
  ) {
    this.#storage = storage
    this.#fetch = fetch
    this.#documents = new LRUCache({ max: MAX_DOCUMENTS, ttl: FAILED_MS, ttlResolution: 0, perf: { now } })
  }

  /** @throws OAuthError invalid_client for a document that cannot be used */
  async find(id: string): Promise<Client | undefined> {
    if (this.#fetch === undefined || !isDocumentUrl(id)) return this.#storage.client(id)
    const known = this.#documents.get(id) ?? (await this.#getOnce(id, this.#fetch))
    if ('failure' in known) throw known.failure as OAuthError
    return known.client
  }

  #getOnce(id: string, fetch: (id: string) => Promise<FoundDocument>): Promise<Known> {
    const running = this.#fetching.get(id)
    if (running !== undefined) return running
    const getting = this.#get(id, fetch).finally(() => this.#fetching.delete(id))
    this.#fetching.set(id, getting)
    return getting
  }

  async #get(id: string, fetch: (id: string) => Promise<FoundDocument>): Promise<Known> {
    try {
      const { client, ttlMs } = await fetch(id)
      this.#documents.set(id, { client }, { ttl: ttlMs })
      return { client }
    } catch (failure) {
      this.#documents.set(id, { failure })
      return { failure }
    }
  }
}
