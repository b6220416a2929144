import { compileTool, type Tool, type ToolSettings } from './tool.ts'
import { bitOf, type Toolset } from './toolset.ts'

/** Which tools one request may see and call. */
export interface View {
  /** Bits of the toolsets that are switched on, by configuration or by discover_tools. */
  readonly toolsets: number
}

/** All tools of the service, and the one place that decides who may see and call which. */
export class Catalog {
  readonly #settings: ToolSettings
  readonly #toolsets: Toolset[] = []
  readonly #tools = new Map<string, Tool>()
  readonly #lists = new Map<number, string>()

  constructor(settings: ToolSettings) {
    this.#settings = settings
  }

  /** @throws Error when a tool name or toolset id is taken, or a row is written wrongly */
  add(toolset: Toolset): void {
    if (this.#toolsets.some(({ id }) => id === toolset.id))
      throw new Error(`Toolset ${toolset.id} exists already`)
    for (const row of toolset.rows) {
      if (this.#tools.has(row.name)) throw new Error(`Tool ${row.name} exists already`)
      this.#tools.set(row.name, compileTool(row, toolset.id, this.#settings))
    }
    this.#toolsets.push(toolset)
  }

  get toolsets(): readonly Toolset[] {
    return this.#toolsets
  }

  /** The view of FORGE_TOOLSETS: the default toolsets when none is named, every one for `all`. */
  viewOf(names: readonly string[]): View {
    const wanted = names.map(name => name.toLowerCase())
    const chosen = this.#toolsets.filter(({ id, isDefault }) =>
      wanted.length === 0 ? isDefault : wanted.includes('all') || wanted.includes(id)
    )
    return { toolsets: chosen.reduce((bits, { id }) => bits | bitOf(id), 0) }
  }

  /** The `tools` array of tools/list as JSON, made once a view; its order is that of registration. */
  list(view: View): string {
    let list = this.#lists.get(view.toolsets)
    if (list === undefined) {
      const visible = [...this.#tools.values()].filter(tool => this.#sees(view, tool))
      list = `[${visible.map(tool => tool.definition).join(',')}]`
      this.#lists.set(view.toolsets, list)
    }
    return list
  }

  /** The tool of that name, and whether the view has it. */
  find(name: string, view: View): { tool: Tool; active: boolean } | undefined {
    const tool = this.#tools.get(name)
    return tool && { tool, active: this.#sees(view, tool) }
  }

  #sees(view: View, { toolset }: Tool): boolean {
    return (view.toolsets & bitOf(toolset)) !== 0
  }
}
