import { setImmediate } from 'node:timers/promises'
import type { CancelSignal } from '../base/cancellation.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { createDiscovery } from '../catalog/discovery.ts'
import type { View } from '../catalog/policy/view.ts'
import type { Consent } from '../engine/consent/question.ts'
import { type AskedClient, capabilityFor, type Questions, type Replies } from '../engine/consent/question.ts'
import type { Discovery, ToolContext } from '../engine/context.ts'
import type { DownloadFolder } from '../engine/downloads/folder.ts'
import type { DownloadStore } from '../engine/downloads/store.ts'
import type { Known, KnownFacts } from '../engine/facts/known.ts'
import { Names } from '../engine/facts/names.ts'
import { LookupBudget } from '../engine/lookup-budget.ts'
import type { PatternMatcher } from '../engine/patterns.ts'
import type { TextRule } from '../engine/texts/quick-actions.ts'
import type { Tool } from '../engine/tool.ts'
import { WatchedForge } from '../engine/watched-forge.ts'
import { reader } from '../engine/web-urls/reader.ts'
import type { WebUrl } from '../engine/web-urls/web-url.ts'
import { activate, type CallMeta, type Exchange } from '../protocol/exchange/exchange.ts'
import { CapabilityError } from '../protocol/messages/jsonrpc.ts'
import { knowsResourceLinks } from '../protocol/messages/versions.ts'
import type { Resources } from '../resources/resources.ts'
import type { ResourceLink } from '../results/blocks.ts'
import { PolicyProblem } from '../results/problem.ts'
import type { ResultPolicy } from '../results/result.ts'
import { UnseenBudget } from '../results/unseen-in-names.ts'
import type { ClientCapability, LogLevel } from '../session/client.ts'
import type { ForgeClient } from '../upstream/client.ts'
import { pause } from '../upstream/guard/pause.ts'

/** Most links of one result: each costs about two hundred bytes. */
const MAX_LINKS = 10

/** The parts that the contexts of all calls share. */
export interface ContextParts {
  readonly catalog: Catalog
  readonly known: KnownFacts
  readonly patterns: PatternMatcher
  readonly policy: ResultPolicy
  readonly downloads: DownloadStore
  /** Undefined if resources are not offered. */
  readonly resources: Pick<Resources, 'link'> | undefined
  /** FORGE_API_URL, normalized. */
  readonly home: string
}

/** The parts that belong to one call. */
export interface CallParts {
  readonly forge: ForgeClient
  readonly caller: string
  readonly exchange: Exchange
  readonly view: View
  readonly meta: CallMeta
  /** The tool that runs, and its arguments as received. */
  readonly tool: Tool
  readonly args: unknown
}

/** Everything that a tool may use in one call. Parts that few tools use are created on demand. */
export class CallContext implements ToolContext, AskedClient {
  readonly forge: ForgeClient
  readonly links: ResourceLink[] = []
  readonly lookups = new LookupBudget()
  readonly unseenBudget = new UnseenBudget()
  /** The arguments as received or, later, as read. */
  args: unknown
  /** Whether and how the call was confirmed, if that was required. */
  consented: Consent | undefined
  /** Milliseconds that the call waited for a person, or for work that the forge does in its own time. */
  waitedMs = 0
  readonly #parts: ContextParts
  readonly #call: CallParts
  readonly #addresses = {}
  #names: Names | undefined

  constructor(parts: ContextParts, call: CallParts) {
    const { progress } = call.meta
    this.#parts = parts
    this.#call = call
    this.args = call.args
    this.forge =
      progress === undefined
        ? call.forge
        : new WatchedForge(call.forge, (message, done) => progress.observe(message, done))
  }

  get caller(): string {
    return this.#call.caller
  }

  get from(): string {
    return this.#call.exchange.holder
  }

  get isStranger(): boolean {
    return this.#call.exchange.isStranger?.() === true
  }

  readWebUrl(text: string, name?: string): WebUrl {
    return reader(this.forge.webUrl, this.#addresses)(text, name)
  }

  progress(message: string, done?: number, total?: number): void {
    this.#call.meta.progress?.report(message, done, total)
  }

  log(level: LogLevel, text: string): void {
    this.#call.meta.log?.log(level, text)
  }

  link(resource: string, values: Readonly<Record<string, unknown>>): void {
    const { exchange, view } = this.#call
    if (this.links.length >= MAX_LINKS || !knowsResourceLinks(exchange.session.version)) return
    const link = this.#parts.resources?.link(resource, values, view)
    if (link !== undefined) this.links.push(link)
  }

  get known(): Known {
    return this.#parts.known.of(this.#scope, this.from)
  }

  /** If only some projects are served, a path must not lead to the project that had this path before. */
  get names(): Names {
    const { policy } = this.#parts.catalog
    const isFresh = this.#call.tool.class !== 'read' || policy.allowedProjects.length > 0
    this.#names ??= new Names(this.known, isFresh)
    return this.#names
  }

  get patterns(): PatternMatcher {
    return this.#parts.patterns
  }

  get checkText(): TextRule {
    return this.#parts.catalog.policy.textRuleOf(this.#call.view)
  }

  mayRun(name: string): boolean {
    const { catalog } = this.#parts
    const tool = catalog.find(name)
    return tool !== undefined && catalog.policy.refusal(tool, this.#call.view) === undefined
  }

  /** X-Forge-Toolsets does not matter here: it permits everything that its tools do. */
  checkShown(tool: string): void {
    this.#parts.catalog.policy.checkShown(tool)
  }

  checkStill(): void {
    const { tool, view } = this.#call
    const { catalog } = this.#parts
    const now = catalog.find(tool.name)!
    // A changed policy creates a new tool object, and this call's arguments were not checked by its rules.
    if (now === tool) return
    throw new PolicyProblem(
      catalog.policy.refusal(now, view) ??
        'The policy of this server has changed since the call began, so this was not done: repeat it.'
    )
  }

  follow(record: unknown): void {
    this.#parts.catalog.policy.follow(record, this.forge.webUrl)
  }

  serves(path: string): boolean {
    return this.#parts.catalog.policy.serves(path)
  }

  get maxChars(): number {
    return this.#parts.policy.maxChars
  }

  get downloads(): DownloadFolder {
    return this.#parts.downloads.of(this.#scope, this.from)
  }

  get #forgeUrl(): string {
    return this.#call.exchange.session.apiUrl ?? this.#parts.home
  }

  get client(): AskedClient {
    return this
  }

  can(capability: ClientCapability): boolean {
    return this.#call.meta.asker?.can(capability) === true
  }

  checkUnasked(): void {
    this.#call.meta.asker?.checkUnasked?.()
  }

  /** @throws also CapabilityError */
  async ask(questions: Questions): Promise<Replies> {
    const { caller, meta, tool, args } = this.#call
    const lacking = Object.values(questions)
      .map(({ method }) => capabilityFor[method])
      .find(capability => !this.can(capability))
    if (lacking !== undefined) throw new CapabilityError(lacking)
    meta.progress?.observe('The client is asked.', 0)
    const to = { caller, tool: tool.name, args, forge: this.#forgeUrl }
    return this.#waits(() => meta.asker!.ask(questions, to))
  }

  async #waits<T>(wait: (signal: CancelSignal) => Promise<T>): Promise<T> {
    const began = performance.now()
    try {
      return await this.forge.waits(wait)
    } finally {
      this.waitedMs += performance.now() - began
    }
  }

  /** Called by a tool that runs other tools. Such a tool reads the arguments of the call first. */
  admitted(args: Readonly<Record<string, unknown>>): void {
    if (this.args === this.#call.args) this.args = args
  }

  consent(how: Consent): void {
    this.consented = how
  }

  /** Identifies the caller at its forge. */
  get #scope(): string {
    return `${this.caller}\n${this.#forgeUrl}`
  }

  pause(ms: number): Promise<void> {
    return this.#waits(signal => pause(ms, signal, this.#call.exchange.signal))
  }

  nextPart(): Promise<void> {
    return this.#call.exchange.parts?.next() ?? setImmediate()
  }

  now(): number {
    return performance.now()
  }

  get discovery(): Discovery {
    const { exchange, view } = this.#call
    return createDiscovery(this.#parts.catalog, view, id => activate(exchange, id))
  }
}
