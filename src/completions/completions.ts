import { Cancellation, CancelledError, onAbort } from '../base/cancellation.ts'
import type { ToolCalls } from '../calls/tool-calls.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { FairTurns } from '../fairness/fair-turns.ts'
import { SharedWait } from '../fairness/shared-wait.ts'
import { turnShares } from '../fairness/turn-shares.ts'
import { type Exchange, viewOf } from '../protocol/exchange/exchange.ts'
import { cleanText } from '../results/clean.ts'
import { nextPageOf } from '../results/next-page.ts'
import type { ToolOutput } from '../results/result.ts'
import { principalAt } from '../session/credential.ts'
import { CompletionCache, type SearchResult } from './cache.ts'
import { type CompletionSource, candidatesIn, type FilledIn, matching } from './source.ts'

/** MCP: `completion` of CompleteResult. */
interface Completion {
  readonly values: readonly string[]
  readonly hasMore: boolean
}

/** A completion, and whether a tool was run for it; that call is already counted then. */
interface Found extends Completion {
  readonly hasRun?: true
}

/** A request for completion. */
export interface CompletionRequest {
  /** The name of the source of values. */
  readonly source: string
  readonly typed: string
  /** The arguments that the person has already filled in. */
  readonly given: FilledIn
  /** Whether the value is for a prompt, which accepts a number followed by a title. */
  readonly titled: boolean
}

/** Most values in one answer; MCP allows a hundred. */
const MAX_VALUES = 50
/** Most characters of the typed text, and of each argument that was filled in. */
const MAX_TYPED = 255
/** Most milliseconds for an answer: nobody waits longer for suggestions. */
const MAX_MS = 3_000

const nothing: Completion = { values: [], hasMore: false }
const noneYet: Completion = { values: [], hasMore: true }
const failed: SearchResult = { candidates: [], isWhole: true }

/**
 * Completes arguments with values from the forge, for the caller who types. Each caller has one request to the forge at
 * a time; failures and time-outs give no suggestions, and no error.
 */
export class Completions {
  readonly #catalog: Catalog
  readonly #calls: Pick<ToolCalls, 'use'>
  #cache = new CompletionCache()
  readonly #sources = new Map<string, CompletionSource>()
  /** The running request of each caller. */
  readonly #asking = new Map<string, SharedWait<unknown>>()
  /** Turns for completions that continue after waiting for another's request: there may be a thousand of them. */
  readonly #resumed = new FairTurns(turnShares.resumed)

  constructor(catalog: Catalog, calls: Pick<ToolCalls, 'use'>) {
    this.#catalog = catalog
    this.#calls = calls
  }

  /** Adds a source. @throws Error if there is one of that name */
  add(source: CompletionSource): void {
    if (this.#sources.has(source.name)) throw new Error(`Completion of ${source.name} exists already`)
    this.#sources.set(source.name, source)
  }

  /** Clears the cache: under another policy, callers may not be allowed to see what it contains. */
  forget(): void {
    this.#cache = new CompletionCache()
  }

  /**
   * Completes an argument.
   * @throws CancelledError if the caller has disconnected, and errors of a ToolCaller other than problems with its
   *   arguments
   */
  async complete(asked: CompletionRequest, exchange: Exchange): Promise<Found> {
    const source = this.#sources.get(asked.source)
    const tool = source && this.#catalog.find(source.tool)
    if (source === undefined || tool === undefined) return nothing
    if (asked.source === 'project_id' && this.#catalog.policy.allowedProjects.length > 0)
      return this.#allowed(asked, exchange)
    const given = this.#givenTo(source, asked)
    if (given === undefined || this.#catalog.policy.refusal(tool, viewOf(exchange)) !== undefined)
      return nothing
    const typed = asked.typed.slice(0, MAX_TYPED)
    const search = source.search?.(typed) ?? ''
    const caller = principalAt(exchange.session)
    const [place, narrowed] = source.isPlace ? [search, ''] : ['', search]
    const list = `${caller}\n${source.name}\n${JSON.stringify(given)}\n${place}`
    const { holder } = exchange
    const running = this.#asking.get(caller)
    if (running !== undefined) await this.#resumed.behind(holder, running, exchange.signal)
    const cache = this.#cache
    const known = cache.find(list, narrowed)
    if (known !== undefined) return completed(known, asked, typed)
    // A person who goes on typing will ask again.
    if (this.#asking.has(caller)) return noneYet
    const asking = this.#ask(source, given, search, exchange).then(answer => {
      cache.keep(list, narrowed, answer, holder)
      return completed(answer, asked, typed)
    })
    const over = asking.catch(() => undefined)
    this.#asking.set(caller, new SharedWait<unknown>(over, () => this.#asking.delete(caller)))
    return { ...(await asking), hasRun: true }
  }

  /** If only some projects are served, these are all the suggestions. */
  #allowed(asked: CompletionRequest, { isStranger }: Exchange): Completion {
    if (isStranger?.()) return nothing
    const candidates = this.#catalog.policy.allowedProjects.map(value => ({ value, title: undefined }))
    return completed({ candidates, isWhole: true }, asked, asked.typed.slice(0, MAX_TYPED))
  }

  /** The filled-in arguments that a source needs. @returns undefined if one is missing */
  #givenTo(source: CompletionSource, { given }: CompletionRequest): FilledIn | undefined {
    const { defaultProject } = this.#catalog.policy
    const all: FilledIn = defaultProject === '' ? given : { project_id: defaultProject, ...given }
    const values = source.given.map(name => [name, all[name]?.slice(0, MAX_TYPED)] as const)
    return values.some(([, value]) => value === undefined || value === '')
      ? undefined
      : Object.fromEntries(values as readonly (readonly [string, string])[])
  }

  async #ask(
    source: CompletionSource,
    given: FilledIn,
    search: string,
    exchange: Exchange
  ): Promise<SearchResult> {
    const signal = new Cancellation()
    const stop = () => signal.abort()
    const timer = setTimeout(stop, MAX_MS)
    const forget = onAbort(exchange.signal, stop)
    const write = ({ value, page }: ToolOutput): SearchResult => ({
      candidates: candidatesIn(value, source, cleanText),
      isWhole: page === undefined || nextPageOf(page) === undefined
    })
    try {
      const used = await this.#calls.use(
        source.tool,
        source.arguments(given, search),
        { ...exchange, signal },
        { trace: exchange.trace, progress: undefined, log: undefined },
        { method: 'completion/complete', write }
      )
      return used.problem === undefined ? used.result : failed
    } catch (error) {
      if (error instanceof CancelledError && exchange.signal?.aborted !== true) return failed
      throw error
    } finally {
      clearTimeout(timer)
      forget()
    }
  }
}

function completed(
  { candidates, isWhole }: SearchResult,
  { titled }: CompletionRequest,
  typed: string
): Completion {
  const found = matching(candidates, typed)
  return {
    values: found
      .slice(0, MAX_VALUES)
      .map(({ value, title }) => (titled && title !== undefined ? `${value} ${title}` : value)),
    hasMore: found.length > MAX_VALUES || !isWhole
  }
}
