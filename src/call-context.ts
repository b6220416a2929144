import { setTimeout as sleep } from 'node:timers/promises'
import type { CancelSignal } from './cancellation.ts'
import type { Catalog, View } from './catalog/catalog.ts'
import { createDiscovery } from './catalog/discovery.ts'
import type { Discovery, ToolContext } from './engine/context.ts'
import { DownloadFolder } from './engine/downloads.ts'
import type { Known, KnownFacts } from './engine/known.ts'
import type { PatternMatcher } from './engine/patterns.ts'
import { activate, type Exchange } from './protocol/service.ts'
import type { ResultPolicy } from './results/result.ts'
import type { ForgeClient } from './upstream/forge.ts'

/** What all calls have in common for their tools. */
export interface ContextParts {
  readonly catalog: Catalog
  readonly known: KnownFacts
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

  get known(): Known {
    return this.#parts.known.of(this.#scope)
  }

  get patterns(): PatternMatcher {
    return this.#parts.patterns
  }

  get maxChars(): number {
    return this.#parts.policy.maxChars
  }

  get downloads(): DownloadFolder {
    return new DownloadFolder(this.#parts.downloadDir, this.#scope)
  }

  /** The caller at its forge. */
  get #scope(): string {
    return `${this.caller}\n${this.#exchange.session.apiUrl ?? this.#parts.home}`
  }

  pause(ms: number): Promise<void> {
    return sleep(ms)
  }

  get discovery(): Discovery {
    return createDiscovery(this.#parts.catalog, this.#view, id => activate(this.#exchange, id))
  }
}
