import type { Catalog } from '../catalog/catalog.ts'
import type { View } from '../catalog/policy/view.ts'
import type { ResourceLink } from '../results/blocks.ts'
import type { ResourceRow } from './row.ts'
import { type UriTemplate, uriTemplate } from './uri-template.ts'

/** Most characters of a URI: no forge has longer paths and names. */
const MAX_URI_CHARS = 8_192

/** Most characters of the values of a link together: the longest path, with room for a project and a number. */
const MAX_VALUE_CHARS = 4_096

/** The resource behind a URI. */
export interface FoundResource {
  readonly row: ResourceRow
  /** The arguments for its tool. */
  readonly args: Readonly<Record<string, unknown>>
}

interface Compiled {
  readonly row: ResourceRow
  readonly template: UriTemplate
}

/** All resources. Each is offered to callers who may use the tool that reads it. */
export class Resources {
  readonly #catalog: Catalog
  readonly #resources = new Map<string, Compiled>()

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** Adds a resource. @throws Error when the name is taken, or the URI template is invalid */
  add(row: ResourceRow): void {
    if (this.#resources.has(row.name)) throw new Error(`Resource ${row.name} exists already`)
    this.#resources.set(row.name, { row, template: uriTemplate(row.uri) })
  }

  get rows(): readonly ResourceRow[] {
    return [...this.#resources.values()].map(({ row }) => row)
  }

  /** The `resources` array of resources/list, as JSON: the resources whose URI has no variable. */
  list(view: View): string {
    return JSON.stringify(this.#offered(view, false).map(({ uri, ...row }) => ({ uri, ...factsOf(row) })))
  }

  /** The `resourceTemplates` array of resources/templates/list, as JSON. */
  templates(view: View): string {
    return JSON.stringify(
      this.#offered(view, true).map(({ uri, ...row }) => ({ uriTemplate: uri, ...factsOf(row) }))
    )
  }

  /** The variables of a template; undefined if the view has no such template. */
  variablesOf(uriTemplate: string, view: View): readonly string[] | undefined {
    return [...this.#resources.values()].find(
      ({ row }) => row.uri === uriTemplate && this.#isOffered(row, view)
    )?.template.variables
  }

  /** The resource of a URI; undefined if no resource has it. */
  find(uri: string): FoundResource | undefined {
    for (const { row, template } of uri.length > MAX_URI_CHARS ? [] : this.#resources.values()) {
      const variables = template.match(uri)
      if (variables !== undefined) return { row, args: row.arguments?.(variables) ?? variables }
    }
    return undefined
  }

  /**
   * Makes a link to a resource, for a result.
   * @param values one for each variable of its URI; a forge may have sent anything in their place
   * @returns undefined if this view has no such resource, or if a valid URI cannot be made
   */
  link(name: string, values: Readonly<Record<string, unknown>>, view: View): ResourceLink | undefined {
    const found = this.#resources.get(name)
    if (found === undefined || !this.#isOffered(found.row, view)) return undefined
    const { row, template } = found
    const texts = template.variables.map(name => segmentOf(values[name]))
    if (texts.includes(undefined) || texts.join('').length > MAX_VALUE_CHARS) return undefined
    const uri = template.expand(values)
    if (uri.length > MAX_URI_CHARS) return undefined
    const mimeType = mimeTypeOf(row)
    return {
      type: 'resource_link',
      uri,
      name: texts.at(-1) ?? row.title,
      title: row.title,
      ...(mimeType !== undefined && { mimeType })
    }
  }

  #offered(view: View, isTemplate: boolean): ResourceRow[] {
    return [...this.#resources.values()]
      .filter(({ template }) => template.variables.length > 0 === isTemplate)
      .map(({ row }) => row)
      .filter(row => this.#isOffered(row, view))
  }

  #isOffered({ tool }: ResourceRow, view: View): boolean {
    const found = this.#catalog.find(tool)
    return found !== undefined && this.#catalog.policy.refusal(found, view) === undefined
  }
}

/**
 * A value in the form for a URI; undefined if there is none: half of a surrogate pair, for instance, cannot be
 * percent-encoded.
 */
function segmentOf(value: unknown): string | undefined {
  if (Number.isSafeInteger(value)) return String(value)
  const stands = typeof value === 'string' && value !== '' && value.length <= MAX_VALUE_CHARS
  return stands && value.isWellFormed() ? value : undefined
}

const mimeTypeOf = ({ shows, mimeType }: Pick<ResourceRow, 'shows' | 'mimeType'>): string | undefined =>
  mimeType ?? (shows === 'record' ? 'application/json' : undefined)

const factsOf = (row: Omit<ResourceRow, 'uri'>) => ({
  name: row.name,
  title: row.title,
  description: row.description,
  mimeType: mimeTypeOf(row)
})
