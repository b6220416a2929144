import type { ConfirmPolicy } from '../../engine/consent/consent.ts'
import { ProjectLimit } from '../../engine/project-limit.ts'
import { bitOf, EVERY_TOOLSET, type ToolsetId } from '../../engine/rows/toolset-id.ts'
import { anyText, noQuickActions, type TextRule } from '../../engine/texts/quick-actions.ts'
import type { Tool } from '../../engine/tool.ts'
import type { ToolSettings } from '../../engine/tool-settings.ts'
import { PolicyProblem } from '../../results/problem.ts'
import { type ReferenceKinds, referencesOnlyWhere } from '../../results/records/within.ts'
import { toolsetsNamed } from './presets.ts'
import type { Surface } from './surface.ts'
import type { View } from './view.ts'

/** The operator's settings, the same for every caller. */
export interface PolicySettings {
  /** FORGE_PROJECT_ID: used if project_id is optional and missing; empty means none. */
  readonly defaultProject: string
  /** FORGE_TOOL_SURFACE */
  readonly surface: Surface
  /** FORGE_READ_ONLY_MODE */
  readonly readOnly: boolean
  /** FORGE_TOOLS: tools that are on, independent of the toolsets. */
  readonly extraTools: ReadonlySet<string>
  /** FORGE_DENIED_TOOLS_REGEX: tools that are off, whatever other settings say. */
  readonly denied: RegExp | undefined
  /** FORGE_ALLOWED_PROJECT_IDS */
  readonly allowedProjects: readonly string[]
  /** FORGE_DENY_SECRET_VALUES */
  readonly denySecretValues: boolean
  /** Whether files can be saved: with FORGE_DOWNLOAD_DIR over HTTP, and always over stdio. */
  readonly savesFiles: boolean
  /** FORGE_CONFIRM: the tools that need confirmation before they do anything. */
  readonly confirm: ConfirmPolicy
}

const open: PolicySettings = {
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
 * Whether a pattern denies all names except some, and so also an arbitrary one. Such a pattern is meant for the tools
 * that are called, not for those of the surface, none of which would be left. So it is applied to the tool behind a
 * calling tool.
 */
const sparesSome = (denied: RegExp): boolean => denied.test('q_q_q')

/** The operator's policy, and the one place that decides who may see and call which tool. */
export class Policy {
  readonly #settings: PolicySettings
  readonly #projects: ProjectLimit
  readonly #isOfSurface: (tool: string) => boolean
  /** The rule for text in which a forge executes lines: it allows everything, unless the operator restricts calls. */
  readonly checkText: TextRule
  /** The kinds of records that are reduced to identifying fields within others; undefined if there are none. */
  readonly referencesOnly: ReferenceKinds | undefined

  /** @param isOfSurface recognizes the tools that are listed instead of all others if the surface is a search */
  constructor(settings: Partial<PolicySettings>, isOfSurface: (tool: string) => boolean) {
    this.#settings = { ...open, ...settings }
    const { allowedProjects, confirm, denied } = this.#settings
    const isFree = denied === undefined && allowedProjects.length === 0 && confirm === 'off'
    this.#projects = new ProjectLimit(allowedProjects)
    this.#isOfSurface = isOfSurface
    this.checkText = isFree ? anyText : noQuickActions
    this.referencesOnly = referencesOnlyWhere(name => this.#isDenied(name), this.#projects.isLimit)
  }

  /** Settings with which tools are compiled, except those that only the catalog knows. */
  get toolSettings(): Omit<ToolSettings, 'isTool'> {
    const { confirm, denySecretValues } = this.#settings
    return {
      defaultProject: this.defaultProject,
      projects: this.#projects,
      isDenied: name => this.#isDenied(name),
      denySecretValues,
      checkText: this.checkText,
      confirm
    }
  }

  #isDenied(name: string): boolean {
    return this.#settings.denied?.test(name) === true
  }

  /** FORGE_PROJECT_ID, or the only allowed project; empty if there is none. */
  get defaultProject(): string {
    return this.#settings.defaultProject || this.#projects.only
  }

  /** FORGE_ALLOWED_PROJECT_IDS; empty if any project is allowed. */
  get allowedProjects(): readonly string[] {
    return this.#settings.allowedProjects
  }

  /** FORGE_TOOL_SURFACE */
  get surface(): Surface {
    return this.#settings.surface
  }

  /** Whether FORGE_DENIED_TOOLS_REGEX is set. */
  get deniesTools(): boolean {
    return this.#settings.denied !== undefined
  }

  /** Keeps a call within the allowed projects when it follows records. @throws PolicyProblem */
  follow(record: unknown, webUrl: string): void {
    this.#projects.follow(record, webUrl)
  }

  /** Whether things in the project of that path may be disclosed. */
  serves(path: string): boolean {
    return this.#projects.serves(path)
  }

  /** @throws PolicyProblem for data that only the tool of that name shows, if the operator denies that tool */
  checkShown(name: string): void {
    if (this.#isDenied(name))
      throw new PolicyProblem(`${name}, which shows that, is switched off on this server.`)
  }

  /**
   * The view of FORGE_TOOLSETS.
   * @param names toolsets and presets; if there are none, the default preset
   * @param also toolsets that are on as well
   */
  viewOf(names: readonly string[], also: readonly ToolsetId[] = []): View {
    const chosen = (names.length === 0 ? ['default'] : names).flatMap(toolsetsNamed)
    const toolsets = [...chosen, ...also].reduce((bits, id) => bits | bitOf(id), 0)
    const { surface, readOnly } = this.#settings
    return { toolsets, within: EVERY_TOOLSET, surface, readOnly }
  }

  /**
   * Whether a tool is listed. Activated toolsets and the surface affect only the list; `refusal` decides about calls.
   */
  isListed({ name, toolset }: Tool, { toolsets, surface }: View): boolean {
    if (surface === 'search') return this.#isOfSurface(name)
    if (toolset === undefined) return !this.#isOfSurface(name)
    return (toolsets & bitOf(toolset)) !== 0 || this.#settings.extraTools.has(name)
  }

  /** The rule for such text in a view: X-Forge-Toolsets is a restriction, too. */
  textRuleOf({ within }: View): TextRule {
    return within === EVERY_TOOLSET ? this.checkText : noQuickActions
  }

  /**
   * Why a view may not call a tool, as text for the caller; undefined if it may. Both listing and calling use this
   * check, and no other. A toolset that is not active is no reason: a client would only loop between discover_tools and
   * the call.
   */
  refusal(tool: Tool, view: View): string | undefined {
    const { name, toolset } = tool
    const off = this.#switchedOff(tool)
    if (off !== undefined) return off
    const { readOnly } = this.#settings
    // The view may belong to a call that has waited since the policy changed.
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

  /** The same, if the tool itself is not denied, but other settings or headers exclude it. */
  limit(tool: Tool, view: View): string | undefined {
    const isDenied = [tool.name, ...tool.does].some(name => this.#isDenied(name))
    return isDenied ? undefined : this.refusal(tool, view)
  }

  /** Why a tool is off for everybody; undefined if it is on. */
  #switchedOff({ beyond, does, name, toolset, inputs, saves }: Tool): string | undefined {
    const { denied, savesFiles } = this.#settings
    if (denied?.test(name) && !(this.#isOfSurface(name) && sparesSome(denied)))
      return `${name} is switched off on this server.`
    const part = does.find(other => this.#isDenied(other))
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
