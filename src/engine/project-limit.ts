import { foldedPath } from '../base/folded-path.ts'
import type { Fields } from '../json/records.ts'
import { isRecord } from '../results/is-record.ts'
import { PolicyProblem } from '../results/problem.ts'
import type { ToolOutput } from '../results/result.ts'
import { wordsOf } from '../results/visible.ts'
import type { Arguments } from './arguments/values.ts'
import { decodeNamespace } from './requests/template.ts'
import type { ToolRow } from './rows/row.ts'

/** Arguments that name a project that a call affects. */
const projectArguments = ['project_id', 'target_project_id', 'start_project', 'to_project'] as const

/**
 * Arguments that reach beyond the project that a call names: ids from any project, the groups above, or what a CI
 * configuration includes from other projects.
 */
const reaching = ['parent_id', 'include_ancestors', 'include_jobs', 'include_merged_yaml'] as const

/**
 * The project of a CI configuration in another project: `file@group/project`, optionally followed by a colon and a ref.
 */
const configProject = /^[^@]*@([^:]*)/

/**
 * Matches the path of an address. Only plainly written paths are those of projects, so URL.parse is not needed, which
 * takes ten times as long.
 */
const address = /^https?:\/\/[^/?#]{1,300}(\/[^?#]{0,2000})/i

/** The number of a thing, after its project in a reference. */
const number = /[!#&]\d{1,20}$/
const NUMBER_CHARS = 21

/** Most records of one answer that are checked, including nested ones: forges send a hundred, each with a few dozen. */
const MAX_RECORDS = 20_000

/**
 * The depth to which nested lists and records are checked. In a list, this depth reaches the project of the agent of an
 * environment. Deeper levels are returned unchecked.
 */
const MAX_LEVELS = 4

const isId = (project: string): boolean => /^\d+$/.test(project)

const sayForeign = (count: number): string =>
  count === 1
    ? 'Left out, as it is of a project that is not served here: 1 record.'
    : `Left out, as they are of projects that are not served here: ${count} records.`

/**
 * The path of a project in a web address of a forge, whose public host name may differ from the one that requests are
 * sent to.
 * @param base path of the forge, with a slash at its end
 */
function pathIn(url: string, base: string): string {
  const path = address.exec(url)?.[1] ?? ''
  return path.startsWith(base) ? path.slice(base.length).split('/-/', 1)[0]! : ''
}

/** @param hint told to the caller in addition, but not logged */
const refused = (why: string, named: string, hint: string) =>
  new PolicyProblem(`${why}${named}.${hint}`, `${why}${named}.`)

/** The hint for a caller who is not told which projects are served. */
const untold =
  ' A project is named as whoever runs the server has written it, by its id or by its path: try its other form. Once the forge has answered a call with this token, which there are is said here.'

/** FORGE_ALLOWED_PROJECT_IDS: calls stay within these projects; ids and paths are compared as written. */
export class ProjectLimit {
  readonly #allowed: ReadonlySet<string>
  /** Length of the longest entry in characters. */
  readonly #longest: number

  /** @param allowed ids or full paths; none means no limit */
  constructor(allowed: readonly string[]) {
    this.#allowed = new Set(allowed.map(foldedPath))
    this.#longest = Math.max(0, ...allowed.map(({ length }) => length))
  }

  /** Whether projects are limited. */
  get isLimit(): boolean {
    return this.#allowed.size > 0
  }

  /** Whether a tool can be offered: one without project_id cannot be kept within the allowed projects. */
  permits(inputs: ReadonlySet<string>): boolean {
    return this.#allowed.size === 0 || inputs.has('project_id')
  }

  /** The only allowed project, which is used if none is named; empty if there is not exactly one. */
  get only(): string {
    return this.#allowed.size === 1 ? [...this.#allowed][0]! : ''
  }

  /**
   * @param isStranger whether the caller's token is unproven: anybody can make one up. The allowed projects are only
   *   disclosed to callers whom the forge knows
   * @throws PolicyProblem if a call leaves the allowed projects, or names none
   */
  check(args: Arguments, isStranger = false): void {
    if (this.#allowed.size === 0) return
    const [named, hint] = isStranger ? ['', untold] : [`: use ${[...this.#allowed].join(', ')}`, '']
    if (args.project_id === undefined)
      throw refused('project_id is required, as this server serves some projects only', named, hint)
    for (const name of projectArguments) {
      if (args[name] === undefined) continue
      const project = foldedPath(decodeNamespace(name, String(args[name])))
      if (this.#allowed.has(project)) continue
      const how = hint || this.#otherwise(project)
      throw refused(`${name} ${JSON.stringify(args[name])} is not served here`, named, how)
    }
    this.#checkConfig(args, named)
    for (const name of reaching)
      if (args[name] !== undefined && args[name] !== false)
        throw new PolicyProblem(
          `${name} may lead out of the projects that this server keeps to: leave it out.`
        )
  }

  /** @throws PolicyProblem for a CI configuration in another project */
  #checkConfig({ ci_config_path: config }: Arguments, named: string): void {
    const project = typeof config === 'string' ? configProject.exec(config)?.[1] : undefined
    if (project !== undefined && !this.serves(project))
      throw new PolicyProblem(
        `ci_config_path ${JSON.stringify(config)} is in a project that is not served here${named}.`,
        'ci_config_path is in a project that is not served here.'
      )
  }

  /** Suggests the other form, path or id, in which an allowed project may be listed. */
  #otherwise(project: string): string {
    const [given, other] = isId(project) ? ['id', 'path'] : ['path', 'id']
    return [...this.#allowed].some(one => isId(one) !== isId(project))
      ? ` If it is one of these, name it by the ${other} as it stands there: by its ${given} it is not known.`
      : ''
  }

  /** Whether things in the project of that path may be disclosed. */
  serves(path: string): boolean {
    return !this.isLimit || (path.length <= this.#longest && this.#allowed.has(foldedPath(path)))
  }

  /**
   * Keeps only the records of a list, or the parts of a record, that belong to the allowed projects. A notice says how
   * many others were left out.
   * @param beyond how the tool reaches beyond the project that it names, as in its row
   * @param webUrl of the forge, without a slash at its end
   * @throws PolicyProblem if the tool followed a record to another project
   */
  keep(output: ToolOutput, beyond: ToolRow['beyond'], webUrl: string): ToolOutput {
    if (!this.isLimit || beyond === undefined) return output
    const isForeign = this.#foreign(webUrl)
    const { value } = output
    if (beyond === 'follows' && isRecord(value))
      for (const record of [value, ...Object.values(value)]) this.follow(record, webUrl)
    let looked = 0
    let foreign = 0
    const isOwn = (part: unknown): boolean => {
      if (!isRecord(part)) return true
      if (++looked > MAX_RECORDS) return false
      if (!isForeign(part)) return true
      foreign++
      return false
    }
    const ownOf = (part: unknown, depth: number): unknown => {
      if (depth === 0) return part
      if (Array.isArray(part)) return part.filter(isOwn).map(one => ownOf(one, depth - 1))
      if (!isRecord(part)) return part
      const parts = Object.entries(part).filter(([, one]) => isOwn(one))
      return Object.fromEntries(parts.map(([name, one]) => [name, ownOf(one, depth - 1)]))
    }
    const kept = ownOf(value, MAX_LEVELS)
    const unread = looked - MAX_RECORDS
    const notices = [
      ...(foreign > 0 ? [sayForeign(foreign)] : []),
      ...(unread > 0
        ? [`${unread} more ${unread === 1 ? 'was' : 'were'} left out unread: ask for a smaller page.`]
        : [])
    ]
    return { ...output, value: kept, notices: [...(output.notices ?? []), ...notices] }
  }

  /** @throws PolicyProblem for a record of another project: nothing more of it may be read or disclosed */
  follow(record: unknown, webUrl: string): void {
    if (this.isLimit && this.#foreign(webUrl)(record))
      throw new PolicyProblem('This is of a project that is not served here.')
  }

  #foreign(webUrl: string): (value: unknown) => boolean {
    const base = new URL(`${webUrl}/`).pathname
    return value => {
      if (!isRecord(value)) return false
      const { project_id: id = value.path_with_namespace === undefined ? undefined : value.id } = value
      return id !== undefined && !this.#holds(value, id, base)
    }
  }

  /**
   * Whether a record belongs to an allowed project: by the id of its project, by its own path, or by the path in its
   * reference or address.
   */
  #holds(
    { path_with_namespace: path, references, web_url: url }: Fields,
    id: unknown,
    base: string
  ): boolean {
    const reference = isRecord(references) ? references.full : undefined
    const paths = [
      typeof path === 'string' ? path : '',
      typeof reference === 'string' && reference.length <= this.#longest + NUMBER_CHARS
        ? reference.replace(number, '')
        : '',
      typeof url === 'string' ? pathIn(url, base) : ''
    ]
    // Lowercasing a long name takes long, so its length is compared first.
    return [wordsOf(id), ...paths].some(
      name => name.length <= this.#longest && this.#allowed.has(foldedPath(name))
    )
  }
}
