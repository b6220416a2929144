import type { Arguments } from '../engine/checks.ts'
import { CallProblem } from '../engine/problem.ts'
import { decodeNamespace } from '../engine/template.ts'

/** Arguments that name a project a call touches. */
const projectArguments = ['project_id', 'target_project_id', 'start_project', 'to_project'] as const

/** Arguments that reach beyond the project that a call names: by an id of any project's, or into the groups above. */
const reaching = ['parent_id', 'include_ancestors'] as const

/** FORGE_ALLOWED_PROJECT_IDS: calls stay within these projects, compared as they are written. */
export class ProjectLimit {
  readonly #allowed: ReadonlySet<string>

  /** @param allowed ids or full paths; none means no limit */
  constructor(allowed: readonly string[]) {
    this.#allowed = new Set(allowed.map(project => project.toLowerCase()))
  }

  /** Whether a tool can be offered at all: one that names no project cannot be kept within some. */
  permits(inputs: ReadonlySet<string>): boolean {
    return this.#allowed.size === 0 || inputs.has('project_id')
  }

  /** The one project, when there is just one: it stands in where none is named. */
  get only(): string {
    return this.#allowed.size === 1 ? [...this.#allowed][0]! : ''
  }

  /** @throws CallProblem when a call leaves the allowed projects, or names none */
  check(args: Arguments): void {
    if (this.#allowed.size === 0) return
    if (args.project_id === undefined)
      throw new CallProblem(`project_id is required: this server serves ${this.#names()} only.`)
    for (const name of projectArguments) {
      if (args[name] === undefined) continue
      const project = decodeNamespace(name, String(args[name])).toLowerCase()
      if (!this.#allowed.has(project))
        throw new CallProblem(
          `${name} ${JSON.stringify(args[name])} is not served here: use ${this.#names()}.`
        )
    }
    for (const name of reaching)
      if (args[name] !== undefined && args[name] !== false)
        throw new CallProblem(
          `${name} may lead out of ${this.#names()}, which this server keeps to: leave it out.`
        )
  }

  #names(): string {
    return [...this.#allowed].join(', ')
  }
}
