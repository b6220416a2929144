import type { ToolCalls } from '../calls/tool-calls.ts'
import { Cancellation, CancelledError, onAbort } from '../cancellation.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { holderOf } from '../edge/address.ts'
import { connectionLimits } from '../edge/connection-limits.ts'
import { FairTurns } from '../edge/fair-turns.ts'
import { type Exchange, viewOf } from '../protocol/exchange.ts'
import { cleanText } from '../results/clean.ts'
import { nextPageOf } from '../results/next-page.ts'
import type { ToolOutput } from '../results/result.ts'
import { principalOf } from '../session/credential.ts'
import { type Answer, CompletionCache } from './cache.ts'
import { type CompletionSource, candidatesIn, fits, type Given } from './source.ts'

/** MCP: `completion` of CompleteResult. */
export interface Completion {
  readonly values: readonly string[]
  readonly hasMore: boolean
}

/** A completion, and whether a tool was run for it, which is then counted already. */
interface Found extends Completion {
  readonly hasRun?: true
}

/** What is to be completed. */
export interface Asked {
  /** The source of its values. */
  readonly source: string
  readonly typed: string
  /** What the person has filled in already. */
  readonly given: Given
  /** The value is for a prompt, which takes a number with a title behind it. */
  readonly titled: boolean
}

/** Values of one answer; MCP takes a hundred. */
const MOST = 50
/** Of what was typed, and of what was filled in. */
const MAX_TYPED = 255
/** Longer than this nobody waits for suggestions. */
const LONGEST_MS = 3_000

const nothing: Completion = { values: [], hasMore: false }
const noneYet: Completion = { values: [], hasMore: true }
const failed: Answer = { candidates: [], isWhole: true }

/**
 * Completes arguments from what the forge has, for the caller who types. It is asked once at a time for each caller,
 * and what fails or takes too long is no suggestion, and no error.
 */
export class Completions {
  readonly #catalog: Catalog
  readonly #calls: Pick<ToolCalls, 'use'>
  #cache: CompletionCache
  readonly #sources = new Map<string, CompletionSource>()
  /** By caller: what is being asked. */
  readonly #asking = new Map<string, Promise<void>>()
  /** Of those who go on with what another has asked for: there may be a thousand. */
  readonly #resumed = new FairTurns(connectionLimits.turns)

  constructor(catalog: Catalog, calls: Pick<ToolCalls, 'use'>, cache = new CompletionCache()) {
    this.#catalog = catalog
    this.#calls = calls
    this.#cache = cache
  }

  /** @throws Error when there is one of that name */
  add(source: CompletionSource): void {
    if (this.#sources.has(source.name)) throw new Error(`Completion of ${source.name} exists already`)
    this.#sources.set(source.name, source)
  }

  /** Forgets what forges have said: another policy may not let callers see it. */
  forget(): void {
    this.#cache = new CompletionCache()
  }

  /**
   * @throws CancelledError when the caller has gone, and what a ToolCaller throws that is no problem of its arguments
   */
  async complete(asked: Asked, exchange: Exchange): Promise<Found> {
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
    const { credential, apiUrl } = exchange.session
    const caller = `${principalOf(credential)}\n${apiUrl ?? ''}`
    const [place, narrowed] = source.isPlace ? [search, ''] : ['', search]
    const list = `${caller}\n${source.name}\n${JSON.stringify(given)}\n${place}`
    const holder = exchange.from === undefined ? caller : holderOf(exchange.from)
    const running = this.#asking.get(caller)
    if (running !== undefined) await this.#behind(running, holder, exchange)
    const cache = this.#cache
    const known = cache.find(list, narrowed)
    if (known !== undefined) return completed(known, asked, typed)
    // Somebody who types on asks again.
    if (this.#asking.has(caller)) return noneYet
    const asking = this.#ask(source, given, search, exchange).then(answer => {
      cache.keep(list, narrowed, answer, holder)
      return completed(answer, asked, typed)
    })
    this.#asking.set(caller, asking.then(...settled(() => this.#asking.delete(caller))))
    return { ...(await asking), hasRun: true }
  }

  /** Waits for what is asked already. @throws CancelledError */
  async #behind(running: Promise<void>, holder: string, { signal }: Exchange): Promise<void> {
    await this.#resumed.behind(holder, running)
    if (signal?.aborted) throw new CancelledError()
  }

  /** Where only some projects are served these are all there are. */
  #allowed(asked: Asked, { isStranger }: Exchange): Completion {
    if (isStranger?.()) return nothing
    const candidates = this.#catalog.policy.allowedProjects.map(value => ({ value, title: undefined }))
    return completed({ candidates, isWhole: true }, asked, asked.typed.slice(0, MAX_TYPED))
  }

  /** @returns undefined where something is not filled in yet */
  #givenTo(source: CompletionSource, { given }: Asked): Given | undefined {
    const { defaultProject } = this.#catalog.policy
    const all: Given = defaultProject === '' ? given : { project_id: defaultProject, ...given }
    const values = source.given.map(name => [name, all[name]?.slice(0, MAX_TYPED)] as const)
    return values.some(([, value]) => value === undefined || value === '')
      ? undefined
      : Object.fromEntries(values as readonly (readonly [string, string])[])
  }

  async #ask(source: CompletionSource, given: Given, search: string, exchange: Exchange): Promise<Answer> {
    const signal = new Cancellation()
    const stop = () => signal.abort()
    const timer = setTimeout(stop, LONGEST_MS)
    const forget = onAbort(exchange.signal, stop)
    const write = ({ value, page }: ToolOutput): Answer => ({
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

const settled = (done: () => void): [() => void, () => void] => [done, done]

function completed({ candidates, isWhole }: Answer, { titled }: Asked, typed: string): Completion {
  const fitting = candidates.filter(candidate => fits(candidate, typed))
  return {
    values: fitting
      .slice(0, MOST)
      .map(({ value, title }) => (titled && title !== undefined ? `${value} ${title}` : value)),
    hasMore: fitting.length > MOST || !isWhole
  }
}
