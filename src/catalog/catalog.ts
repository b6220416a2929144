import { LRUCache } from 'lru-cache'
import type { ConfirmPolicy } from '../engine/consent.ts'
import { anyText, noQuickActions, type TextRule } from '../engine/quick-actions.ts'
import { compileTool, type Tool } from '../engine/tool.ts'
import { PolicyProblem } from '../results/problem.ts'
import { toolsetsNamed } from './presets.ts'
import { ProjectLimit } from './project-limit.ts'
import type { ToolClass, ToolRow } from './row.ts'
import { ToolSearch } from './search.ts'
import { callerOf, type Surface } from './surface.ts'
import type { Toolset } from './toolset.ts'
import { bitOf, EVERY_TOOLSET, type ToolsetId } from './toolset-id.ts'

/** Which tools one request may see and call. */
export interface View {
  /** Bits of the toolsets that are switched on, by configuration or by discover_tools. */
  readonly toolsets: number
  /** Bits of the toolsets the request keeps to (X-Forge-Toolsets); they only ever take away. */
  readonly within: number
  /** What is listed: FORGE_TOOL_SURFACE, or X-Forge-Tool-Surface for one request. */
  readonly surface: Surface
  /** Only tools that read: FORGE_READ_ONLY_MODE, or X-Forge-Readonly for one request. */
  readonly readOnly: boolean
}

/** What the operator decided, the same for every caller. */
export interface CatalogSettings {
  /** FORGE_PROJECT_ID: stands in where project_id is optional and absent; empty means none. */
  readonly defaultProject: string
  /** FORGE_TOOL_SURFACE */
  readonly surface: Surface
  /** FORGE_READ_ONLY_MODE */
  readonly readOnly: boolean
  /** FORGE_TOOLS: tools that are on whichever toolsets are. */
  readonly extraTools: ReadonlySet<string>
  /** FORGE_DENIED_TOOLS_REGEX: tools that are off, whatever else says otherwise. */
  readonly denied: RegExp | undefined
  /** FORGE_ALLOWED_PROJECT_IDS */
  readonly allowedProjects: readonly string[]
  /** FORGE_DENY_SECRET_VALUES */
  readonly denySecretValues: boolean
  /** There is a place for files: FORGE_DOWNLOAD_DIR over HTTP, and always over stdio. */
  readonly savesFiles: boolean
  /** FORGE_CONFIRM: the tools that are confirmed before they do anything. */
  readonly confirm: ConfirmPolicy
}

const open: CatalogSettings = {
  defaultProject: '',
  surface: 'full',
  readOnly: false,
  extraTools: new Set(),
  denied: undefined,
  allowedProjects: [],
  denySecretValues: false,
  savesFiles: true,
  confirm: 'off'
}

/**
 * Whether a pattern denies all names but some, and so a name that nobody thinks of, too. Such a one is about what is
 * called, not about the surface, of which nothing would be left: it is held against the tool behind a calling tool.
 */
const sparesSome = (denied: RegExp): boolean => denied.test('q_q_q')

/** Of all listings that are kept: some dozens. There is one for each set of toolsets that a header may name. */
const MAX_LISTED_CHARS = 4_000_000

/** All tools of the service, and the one place that decides who may see and call which. */
export class Catalog {
  #settings!: CatalogSettings
  #projects!: ProjectLimit
  readonly #toolsets: Toolset[] = []
  readonly #alwaysOn: ToolRow[] = []
  readonly #tools = new Map<string, Tool>()
  /** What they were made of, in the same order. */
  readonly #rows = new Map<ToolRow, ToolsetId | undefined>()
  #checkText: TextRule = anyText
  readonly #lists = new LRUCache<string, string>({
    maxSize: MAX_LISTED_CHARS,
    sizeCalculation: list => list.length + 1
  })
  readonly #surface = new Map<string, ToolRow>()
  #search = new ToolSearch(() => this.#tools.values())

  constructor(settings: Partial<CatalogSettings> = {}) {
    this.#apply({ ...open, ...settings })
  }

  #apply(settings: CatalogSettings): void {
    const { allowedProjects, confirm, denied } = settings
    const isFree = denied === undefined && allowedProjects.length === 0 && confirm === 'off'
    this.#settings = settings
    this.#projects = new ProjectLimit(allowedProjects)
    this.#checkText = isFree ? anyText : noQuickActions
  }

  /** Puts the same tools under another policy. Calls under way end under the one that they began with, but for those that wait for a person (consent.ts). */
  renew(settings: CatalogSettings): void {
    this.#apply(settings)
    const rows = [...this.#rows]
    this.#tools.clear()
    this.#rows.clear()
    this.#lists.clear()
    this.#search = new ToolSearch(() => this.#tools.values())
    for (const [row, toolset] of rows) this.#compile(row, toolset)
  }

  /** FORGE_PROJECT_ID, or the one project that may be named; empty where there is none. */
  get defaultProject(): string {
    return this.#settings.defaultProject || this.#projects.only
  }

  /** FORGE_ALLOWED_PROJECT_IDS; none where any may be named. */
  get allowedProjects(): readonly string[] {
    return this.#settings.allowedProjects
  }

  /** FORGE_TOOL_SURFACE */
  get surface(): Surface {
    return this.#settings.surface
  }

  /** FORGE_DENIED_TOOLS_REGEX is set. */
  get deniesTools(): boolean {
    return this.#settings.denied !== undefined
  }

  /** Keeps a call to the projects that may be named as it follows records. @throws PolicyProblem */
  follow(record: unknown, webUrl: string): void {
    this.#projects.follow(record, webUrl)
  }

  /** Whether what is in a project of that path may be told of. */
  serves(path: string): boolean {
    return this.#projects.serves(path)
  }

  /** @throws PolicyProblem for what only a tool shows that nobody has */
  checkShown(name: string): void {
    if (this.#settings.denied?.test(name))
      throw new PolicyProblem(`${name}, which shows that, is switched off on this server.`)
  }

  /** What is said of text in which a forge carries out lines: nothing, unless the operator limits what may be done. */
  get checkText(): TextRule {
    return this.#checkText
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
    this.#compile(row, toolset)
  }

  #compile(row: ToolRow, toolset: ToolsetId | undefined): void {
    if (this.#tools.has(row.name)) throw new Error(`Tool ${row.name} exists already`)
    this.#rows.set(row, toolset)
    this.#tools.set(
      row.name,
      compileTool(row, toolset, {
        defaultProject: this.defaultProject,
        projects: this.#projects,
        isDenied: name => this.#settings.denied?.test(name) === true,
        denySecretValues: this.#settings.denySecretValues,
        checkText: this.checkText,
        confirm: this.#settings.confirm
      })
    )
  }

  /** Adds a tool that is listed in place of all others where the surface is a search. */
  addSurfaceTool(row: ToolRow): void {
    this.#surface.set(row.name, row)
    this.#compile(row, undefined)
  }

  get toolsets(): readonly Toolset[] {
    return this.#toolsets
  }

  /** Tools that are listed in place of all others where the surface is a search. */
  get surfaceTools(): readonly ToolRow[] {
    return [...this.#surface.values()]
  }

  /** Tools that belong to no toolset. */
  get alwaysOn(): readonly ToolRow[] {
    return this.#alwaysOn
  }

  /** The view of FORGE_TOOLSETS: toolsets and presets by name, the default preset when none is named. */
  viewOf(names: readonly string[]): View {
    const chosen = (names.length === 0 ? ['default'] : names).flatMap(toolsetsNamed)
    const toolsets = chosen.reduce((bits, id) => bits | bitOf(id), 0)
    const { surface, readOnly } = this.#settings
    return { toolsets, within: EVERY_TOOLSET, surface, readOnly }
  }

  /** The tools a view lists, in the order of registration. */
  visible(view: View): Tool[] {
    return this.usable(view).filter(tool => this.isListed(tool, view))
  }

  /** The tools a view may call, listed or not. */
  usable(view: View): Tool[] {
    return [...this.#tools.values()].filter(tool => this.refusal(tool, view) === undefined)
  }

  /** The tools a view may call through a calling tool and that fit some words, best first; one alone by its name. */
  search(query: string, view: View, limit: number): Tool[] {
    const hasCaller = (of: ToolClass) => {
      const caller = this.#tools.get(callerOf.get(of)!)
      return caller === undefined || this.refusal(caller, view) === undefined
    }
    const isCallable = (tool: Tool) =>
      tool.toolset !== undefined && hasCaller(tool.class) && this.refusal(tool, view) === undefined
    const named = this.#tools.get(query)
    if (named !== undefined && isCallable(named)) return [named]
    return this.#search
      .find(query)
      .map(name => this.#tools.get(name)!)
      .filter(isCallable)
      .slice(0, limit)
  }

  /** Activation and the surface lengthen or shorten the list; what may be called is for `refusal` to say. */
  isListed({ name, toolset }: Tool, { toolsets, surface }: View): boolean {
    if (surface === 'search') return this.#surface.has(name)
    if (toolset === undefined) return !this.#surface.has(name)
    return (toolsets & bitOf(toolset)) !== 0 || this.#settings.extraTools.has(name)
  }

  /**
   * The `tools` array of tools/list as JSON, made once a view while views are few.
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

  /** What is said of such text in a view: X-Forge-Toolsets limits what may be done, too. */
  textRuleOf({ within }: View): TextRule {
    return within === EVERY_TOOLSET ? this.checkText : noQuickActions
  }

  find(name: string): Tool | undefined {
    return this.#tools.get(name)
  }

  /**
   * Why a view may not call a tool, in words for the caller; undefined when it may. Listing and calling both ask here
   * and nowhere else. A toolset that is not active is no reason: a client would only loop between discover_tools and
   * the call.
   */
  refusal(tool: Tool, view: View): string | undefined {
    const { name, toolset } = tool
    const off = this.#switchedOff(tool)
    if (off !== undefined) return off
    const { readOnly } = this.#settings
    // The view may be of a call that has waited.
    if ((view.readOnly || readOnly) && (tool.class !== 'read' || tool.saves)) {
      const does = tool.class === 'read' ? 'writes a file' : 'changes things'
      const by = readOnly ? '' : ' (by X-Forge-Readonly of this request)'
      return `${name} ${does}, and only reading is allowed here${by}.`
    }
    if (toolset === undefined) return undefined
    if ((view.within & bitOf(toolset)) === 0)
      return `${name} is in ${toolset}, which X-Forge-Toolsets leaves out.`
    return undefined
  }

  /** Why nobody has a tool. */
  #switchedOff({ beyond, does, name, toolset, inputs, saves }: Tool): string | undefined {
    const { denied, savesFiles } = this.#settings
    if (denied?.test(name) && !(this.#surface.has(name) && sparesSome(denied)))
      return `${name} is switched off on this server.`
    const part = does.find(other => denied?.test(other))
    if (part !== undefined) return `${name} is switched off on this server: it does what ${part} does, too.`
    if (toolset !== undefined && !this.#projects.permits(inputs))
      return `${name} is switched off: this server keeps to some projects, and this tool names none.`
    if (beyond === 'makes' && this.#projects.isLimit)
      return `${name} is switched off: this server keeps to some projects, and this tool makes another.`
    if (saves && !savesFiles)
      return `${name} is switched off: this server has no folder for downloads (FORGE_DOWNLOAD_DIR).`
    return undefined
  }
}
