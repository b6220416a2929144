import { nearest } from '../../base/nearest.ts'
import { CallProblem } from '../../results/problem.ts'
import { shortened } from '../../results/shortened.ts'
import { longerArguments, nearArgument } from './near-argument.ts'
import { askedName } from './other-names.ts'

/** More tell a caller nothing new, and each costs time and room in the answer. */
const MAX_UNKNOWN = 5
const MAX_PROBLEMS = 10
const MAX_NAME_CHARS = 60

const didYouMean = (...names: readonly string[]): string =>
  `did you mean ${names.map(name => JSON.stringify(name)).join(' or ')}?`

/** Asks whether the nearest of some names was meant; undefined where none is near. */
export function guessOf(name: string, names: Iterable<string>): string | undefined {
  const near = nearest(name, names)
  return near === undefined ? undefined : didYouMean(near)
}

/** What is known of an argument that is not declared. */
interface UnknownHints {
  /** What is done where it is meant. */
  readonly instead?: string | undefined
  /** The same, where no other argument is near. */
  readonly otherwise?: string | undefined
  /** What its place has: where a name is only a part of one that is given, another was meant. */
  readonly given?: Readonly<Record<string, unknown>>
}

/** What is wrong with the arguments of one call: a few problems, however many there are. */
export class Problems {
  readonly #texts: string[] = []
  readonly #listed = new Set<string>()
  #unknown = 0

  /** @throws CallProblem when there are enough of them to stop */
  add(problem: string): void {
    this.#texts.push(problem)
    if (this.#texts.length === MAX_PROBLEMS) this.refuse()
  }

  /**
   * A name that is not declared. Where none is known to be meant, the valid names of its place are listed, once.
   * @param where prefix of the place @param hints asked for only the few that are told
   */
  addUnknown(
    where: string,
    name: string,
    valid: Iterable<string>,
    hints: () => UnknownHints = () => ({})
  ): void {
    if (++this.#unknown > MAX_UNKNOWN) return
    const { instead, otherwise, given = {} } = hints()
    const path = where + name
    const shown = shortened(path, MAX_NAME_CHARS)
    const known = [...valid]
    const open = known.filter(other => (given[other] ?? null) === null)
    const near = askedName(name, known, open) ?? nearArgument(name, known)
    const all = near === undefined ? longerArguments(name, open) : [near]
    const meant = instead ?? (all.length === 0 ? otherwise : didYouMean(...all.map(one => where + one)))
    const guess = meant === undefined ? '' : `, ${meant}`
    const names = known.join(', ') || 'none'
    const hint = guess !== '' || this.#listed.has(names) ? '' : ` (valid: ${names})`
    if (hint !== '') this.#listed.add(names)
    this.add(`unknown argument ${JSON.stringify(shown)}${guess}${hint}`)
  }

  /** @throws CallProblem that names the problems, when there are any */
  refuse(): void {
    if (this.#texts.length === 0) return
    const more = this.#unknown - MAX_UNKNOWN
    const rest = more > 0 ? [`and ${more} more unknown arguments`] : []
    const said = [...this.#texts, ...rest].join('; ')
    throw new CallProblem(`Invalid arguments: ${said}${said.endsWith('?') ? '' : '.'}`)
  }
}
