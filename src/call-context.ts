import type { CancelSignal } from './cancellation.ts'
import type { Catalog, View } from './catalog/catalog.ts'
import { createDiscovery } from './catalog/discovery.ts'
import type { Discovery, ToolContext } from './engine/context.ts'
import { DownloadFolder } from './engine/downloads.ts'
import type { PatternMatcher } from './engine/patterns.ts'
import { activate, type Exchange } from './protocol/service.ts'
import type { ResultPolicy } from './results/result.ts'
import type { ForgeClient } from './upstream/forge.ts'

/** What all calls have in common for their tools. */
export interface ContextParts {
  readonly catalog: Catalog
  readonly patterns: PatternMatcher
  readonly policy: ResultPolicy
  /** FORGE_DOWNLOAD_DIR */
  readonly downloadDir: string
  /** FORGE_API_URL */
  readonly home: string
}

/** What a tool may use in one call. What hardly any tool uses is made when one asks for it. */
export class CallContext implements ToolContext {
  readonly forge: ForgeClient
  readonly caller: string
  readonly signal: CancelSignal | undefined
  readonly #parts: ContextParts
  readonly #exchange: Exchange
  readonly #view: View

  constructor(
    parts: ContextParts,
    forge: ForgeClient,
    caller: string,
    signal: CancelSignal | undefined,
    exchange: Exchange,
    view: View
  ) {
    this.#parts = parts
    this.forge = forge
    this.caller = caller
    this.signal = signal
    this.#exchange = exchange
    this.#view = view
  }

  get patterns(): PatternMatcher {
    return this.#parts.patterns
  }

  get maxChars(): number {
    return this.#parts.policy.maxChars
  }

  get downloads(): DownloadFolder {
    const { downloadDir, home } = this.#parts
    return new DownloadFolder(downloadDir, `${this.caller}\n${this.#exchange.session.apiUrl ?? home}`)
  }

  get discovery(): Discovery {
    return createDiscovery(this.#parts.catalog, this.#view, id => activate(this.#exchange, id))
  }
}
