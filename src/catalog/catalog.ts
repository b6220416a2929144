import { LRUCache } from 'lru-cache'
import type { ToolRow } from '../engine/rows/row.ts'
import type { Toolset } from '../engine/rows/toolset.ts'
import type { ToolsetId } from '../engine/rows/toolset-id.ts'
import { compileTool, type Tool } from '../engine/tool.ts'
import type { ToolClass } from '../results/tool-class.ts'
import { toolCalled } from './other-servers/other-tools.ts'
import { Policy, type PolicySettings } from './policy/policy.ts'
import { callerOf } from './policy/surface.ts'
import type { View } from './policy/view.ts'
import { ToolSearch } from './search/search.ts'

/**
 * Most characters of all cached listings, enough for some dozens. There is one for each set of toolsets that a header
 * may name.
 */
const MAX_LISTED_CHARS = 4_000_000

/** All tools of the service, and the lists of them, under the policy of the operator. */
export class Catalog {
  #policy: Policy
  readonly #toolsets: Toolset[] = []
  readonly #alwaysOn: ToolRow[] = []
  readonly #tools = new Map<string, Tool>()
  /** The rows that they were made from, in the same order. */
  readonly #rows = new Map<ToolRow, ToolsetId | undefined>()
  readonly #lists = new LRUCache<string, string>({
    maxSize: MAX_LISTED_CHARS,
    sizeCalculation: list => list.length + 1
  })
  readonly #surface = new Map<string, ToolRow>()
  readonly #search = new ToolSearch(() => this.#rows.keys())

  constructor(settings: Partial<PolicySettings> = {}) {
    this.#policy = this.#policyOf(settings)
  }

  #policyOf(settings: Partial<PolicySettings>): Policy {
    return new Policy(settings, tool => this.#surface.has(tool))
  }

  get policy(): Policy {
    return this.#policy
  }

  /**
   * Puts the same tools under another policy. Calls in progress end under the policy with which they began, except
   * calls that wait for a person (engine/consent/consent.ts), and parts that have not begun (engine/several.ts).
   */
  renew(settings: PolicySettings): void {
    this.#policy = this.#policyOf(settings)
    this.#lists.clear()
    for (const [row, toolset] of this.#rows) this.#compile(row, toolset)
  }

  /** @throws Error when a tool name or toolset id is taken, or a row is written wrongly */
  add(toolset: Toolset): void {
    if (this.#toolsets.some(({ id }) => id === toolset.id))
      throw new Error(`Toolset ${toolset.id} exists already`)
    for (const row of toolset.rows) this.addTool(row, toolset.id)
    this.#toolsets.push(toolset)
  }

  /** @param toolset undefined for a tool that belongs to none and is always on */
  addTool(row: ToolRow, toolset?: ToolsetId): void {
    if (toolset === undefined) this.#alwaysOn.push(row)
    this.#register(row, toolset)
  }

  #register(row: ToolRow, toolset: ToolsetId | undefined): void {
    if (this.#tools.has(row.name)) throw new Error(`Tool ${row.name} exists already`)
    this.#rows.set(row, toolset)
    this.#compile(row, toolset)
  }

  #compile(row: ToolRow, toolset: ToolsetId | undefined): void {
    const isTool = (name: string) => this.#tools.has(name)
    this.#tools.set(row.name, compileTool(row, toolset, { ...this.#policy.toolSettings, isTool }))
  }

  /** Adds a tool that is listed instead of all others if the surface is a search. */
  addSurfaceTool(row: ToolRow): void {
    this.#surface.set(row.name, row)
    this.#register(row, undefined)
  }

  get toolsets(): readonly Toolset[] {
    return this.#toolsets
  }

  /** Tools that are listed instead of all others if the surface is a search. */
  get surfaceTools(): readonly ToolRow[] {
    return [...this.#surface.values()]
  }

  /** Tools that belong to no toolset. */
  get alwaysOn(): readonly ToolRow[] {
    return this.#alwaysOn
  }

  /** The tools a view lists, in the order of registration. */
  visible(view: View): Tool[] {
    return this.usable(view).filter(tool => this.#policy.isListed(tool, view))
  }

  /** The tools a view may call, listed or not. */
  usable(view: View): Tool[] {
    return [...this.#tools.values()].filter(tool => this.#policy.refusal(tool, view) === undefined)
  }

  /**
   * The tools that a view may call through a calling tool and that match a query, best first. If the query is the name
   * of a tool, only that tool is returned. A tool that has this name elsewhere comes before all others.
   */
  search(query: string, view: View, limit: number): Tool[] {
    const hasCaller = (of: ToolClass) => {
      const caller = this.#tools.get(callerOf.get(of)!)
      return caller === undefined || this.#policy.refusal(caller, view) === undefined
    }
    const isCallable = (tool: Tool) =>
      tool.toolset !== undefined && hasCaller(tool.class) && this.#policy.refusal(tool, view) === undefined
    const named = this.#tools.get(query)
    if (named !== undefined && isCallable(named)) return [named]
    const called = toolCalled(query)
    const names = new Set([...(called === undefined ? [] : [called]), ...this.#search.find(query)])
    return [...names]
      .map(name => this.#tools.get(name)!)
      .filter(isCallable)
      .slice(0, limit)
  }

  /** The separate topics of a query. */
  things(query: string): readonly string[] {
    return this.#search.things(query)
  }

  /** Why the best-matching tool is not found, if the policy hides it. */
  limit(query: string, view: View): string | undefined {
    const best = this.#tools.get(query) ?? this.#tools.get(this.#search.find(query)[0] ?? '')
    return best && this.#policy.limit(best, view)
  }

  /**
   * The `tools` array of tools/list as JSON. It is cached for each view, as long as there are few views.
   * @param mirrors for a client that mirrors arguments in headers
   */
  list(view: View, mirrors = false): string {
    const key = `${view.toolsets} ${view.within} ${view.surface} ${view.readOnly} ${mirrors}`
    let list = this.#lists.get(key)
    if (list === undefined) {
      const tools = this.visible(view)
      const names = new Set(tools.map(({ name }) => name))
      list = `[${tools.map(tool => tool.definition(names, mirrors)).join(',')}]`
      this.#lists.set(key, list)
    }
    return list
  }

  /** The names of all tools, whatever the policy. */
  get names(): ReadonlySet<string> {
    return new Set(this.#tools.keys())
  }

  find(name: string): Tool | undefined {
    return this.#tools.get(name)
  }
}
