import { nearest } from '../base/nearest.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { View } from '../catalog/policy/view.ts'
import { type ContentBlock, writeBlocks } from '../results/blocks.ts'
import { CallProblem } from '../results/problem.ts'
import type { Given } from './arguments.ts'
import { isNotGiven, mayBeArguments, readArguments } from './arguments.ts'
import { composed, isUsable } from './composed.ts'
import type { PromptRow } from './row.ts'

/** MCP GetPromptResult. */
interface PromptResult {
  readonly description: string
  readonly messages: readonly { readonly role: 'user'; readonly content: ContentBlock }[]
}

/** Most characters in the texts of embedded resources. */
const MAX_EMBEDDED = 200_000

/**
 * All prompts. Each is offered to callers who may use the tools it needs: the policy for tools applies to prompts, too.
 */
export class Prompts {
  readonly #catalog: Catalog
  readonly #rows = new Map<string, PromptRow>()

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** Adds a prompt. @throws Error when the name is taken */
  add(row: PromptRow): void {
    if (this.#rows.has(row.name)) throw new Error(`Prompt ${row.name} exists already`)
    this.#rows.set(row.name, row)
  }

  get rows(): readonly PromptRow[] {
    return [...this.#rows.values()]
  }

  /** The `prompts` array of prompts/list, as JSON. */
  list(view: View): string {
    return JSON.stringify(this.#offered(view).map(row => this.#definition(row)))
  }

  /** Finds a prompt. @throws CallProblem if there is none of that name, or not for this view */
  find(name: string, view: View): PromptRow {
    const row = this.#rows.get(name)
    if (row === undefined) {
      const names = this.#offered(view).map(({ name }) => name)
      const near = nearest(name, names)
      const guess =
        near === undefined ? `There are ${names.join(', ') || 'none here'}.` : `Did you mean ${near}?`
      throw new CallProblem(`Unknown prompt: ${name.slice(0, 100)}. ${guess}`)
    }
    const missing = row.needs.find(tool => !isUsable(tool, this.#catalog, view))
    if (missing !== undefined)
      throw new CallProblem(`The prompt ${name} needs the tool ${missing}, which may not be used here.`)
    return row
  }

  /** The required arguments that are missing; none if the prompt is not offered, or if invalid arguments were given. */
  lacking(
    name: string,
    sent: Readonly<Record<string, unknown>>,
    view: View
  ): { name: string; description: string }[] {
    const row = this.#offered(view).find(row => row.name === name)
    if (row === undefined || !mayBeArguments(row.arguments, sent)) return []
    return Object.entries(row.arguments)
      .filter(([name, { required }]) => required && this.#fallback[name] === undefined)
      .filter(([name]) => isNotGiven(sent[name]))
      .map(([name, { description }]) => ({ name, description }))
  }

  /**
   * Makes the messages of a prompt.
   * @param sent its arguments as they were sent
   * @throws CallProblem that says what to correct
   */
  get(name: string, sent: unknown, view: View): PromptResult {
    const row = this.find(name, view)
    const given = readArguments(row.arguments, sent, this.#fallback)
    const problem = row.check?.(given)
    if (problem !== undefined) throw new CallProblem(problem)
    const text = composed(row, given, this.#catalog, view)
    const { content } = writeBlocks(row.blocks?.(given) ?? [], MAX_EMBEDDED)
    return {
      description: row.description,
      messages: [...content, { type: 'text' as const, text }].map(content => ({ role: 'user', content }))
    }
  }

  #offered(view: View): PromptRow[] {
    return this.rows.filter(({ needs }) => needs.every(tool => isUsable(tool, this.#catalog, view)))
  }

  #definition({ name, title, description, arguments: declared }: PromptRow): object {
    return {
      name,
      title,
      description,
      arguments: Object.entries(declared).map(([name, { description, required }]) => ({
        name,
        description,
        ...(required && this.#fallback[name] === undefined && { required })
      }))
    }
  }

  get #fallback(): Given {
    const { defaultProject } = this.#catalog.policy
    return defaultProject === '' ? {} : { project_id: defaultProject }
  }
}
