import { compileTool, type Tool } from '../engine/tool.ts'
import { toolsetsNamed } from './presets.ts'
import { ProjectLimit } from './project-limit.ts'
import type { ToolRow } from './row.ts'
import type { Toolset } from './toolset.ts'
import { bitOf, EVERY_TOOLSET, type ToolsetId } from './toolset-id.ts'

/** Which tools one request may see and call. */
export interface View {
  /** Bits of the toolsets that are switched on, by configuration or by discover_tools. */
  readonly toolsets: number
  /** Bits of the toolsets the request keeps to (X-Forge-Toolsets); they only ever take away. */
  readonly within: number
  /** Only tools that read: FORGE_READ_ONLY_MODE, or X-Forge-Readonly for one request. */
  readonly readOnly: boolean
}

/** What the operator decided, the same for every caller. */
export interface CatalogSettings {
  /** FORGE_PROJECT_ID: stands in where project_id is optional and absent; empty means none. */
  readonly defaultProject: string
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
}

const open: CatalogSettings = {
  defaultProject: '',
  readOnly: false,
  extraTools: new Set(),
  denied: undefined,
  allowedProjects: [],
  denySecretValues: false
}

/** All tools of the service, and the one place that decides who may see and call which. */
export class Catalog {
  readonly #settings: CatalogSettings
  readonly #projects: ProjectLimit
  readonly #toolsets: Toolset[] = []
  readonly #alwaysOn: ToolRow[] = []
  readonly #tools = new Map<string, Tool>()
  readonly #lists = new Map<string, string>()

  constructor(settings: Partial<CatalogSettings> = {}) {
    this.#settings = { ...open, ...settings }
    this.#projects = new ProjectLimit(this.#settings.allowedProjects)
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
    if (this.#tools.has(row.name)) throw new Error(`Tool ${row.name} exists already`)
    const { denySecretValues } = this.#settings
    const defaultProject = this.#settings.defaultProject || this.#projects.only
    if (toolset === undefined) this.#alwaysOn.push(row)
    this.#tools.set(
      row.name,
      compileTool(row, toolset, { defaultProject, projects: this.#projects, denySecretValues })
    )
  }

  get toolsets(): readonly Toolset[] {
    return this.#toolsets
  }

  /** Tools that belong to no toolset. */
  get alwaysOn(): readonly ToolRow[] {
    return this.#alwaysOn
  }

  /** Names of FORGE_TOOLS that no tool has; only once all are registered. */
  get unknownExtraTools(): readonly string[] {
    return [...this.#settings.extraTools].filter(name => !this.#tools.has(name))
  }

  /** The view of FORGE_TOOLSETS: toolsets and presets by name, the default preset when none is named. */
  viewOf(names: readonly string[]): View {
    const chosen = (names.length === 0 ? ['default'] : names).flatMap(toolsetsNamed)
    const toolsets = chosen.reduce((bits, id) => bits | bitOf(id), 0)
    return { toolsets, within: EVERY_TOOLSET, readOnly: this.#settings.readOnly }
  }

  /** The tools a view has, in the order of registration. */
  visible(view: View): Tool[] {
    return [...this.#tools.values()].filter(tool => this.refusal(tool, view) === undefined)
  }

  /** The `tools` array of tools/list as JSON, made once a view. */
  list(view: View): string {
    const key = `${view.toolsets} ${view.within} ${view.readOnly}`
    let list = this.#lists.get(key)
    if (list === undefined) {
      list = `[${this.visible(view)
        .map(tool => tool.definition)
        .join(',')}]`
      this.#lists.set(key, list)
    }
    return list
  }

  find(name: string): Tool | undefined {
    return this.#tools.get(name)
  }

  /**
   * Why a view does not have a tool, in words for the caller; undefined when it has it. Listing and calling
   * both ask here and nowhere else.
   */
  refusal({ name, class: toolClass, toolset, inputs }: Tool, view: View): string | undefined {
    const { denied, extraTools } = this.#settings
    if (denied?.test(name)) return `${name} is switched off on this server.`
    if (toolset !== undefined && !this.#projects.permits(inputs))
      return `${name} is switched off: this server keeps to some projects, and this tool names none.`
    if (view.readOnly && toolClass !== 'read')
      return `${name} changes things, and only reading is allowed here.`
    if (toolset === undefined) return undefined
    if ((view.within & bitOf(toolset)) === 0)
      return `${name} is in ${toolset}, which X-Forge-Toolsets leaves out.`
    if ((view.toolsets & bitOf(toolset)) !== 0 || extraTools.has(name)) return undefined
    return `${name} is in the toolset ${toolset}, which is not active. Call discover_tools with category "${toolset}" to activate it, or have it added to FORGE_TOOLSETS.`
  }
}
