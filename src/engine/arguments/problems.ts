import { nearest } from '../../base/nearest.ts'
import { CallProblem } from '../../results/problem.ts'
import { shortened } from '../../results/shortened.ts'
import { didYouMean, sameLooking } from '../../results/unseen-in-names.ts'
import { askedName, namedById } from './name-meant.ts'
import { longerArguments, nearArgument } from './near-argument.ts'

/** More tell a caller nothing new, and each costs time and room in the answer. */
const MAX_UNKNOWN = 5
const MAX_PROBLEMS = 10
const MAX_NAME_CHARS = 60

/** Asks whether the nearest of some names was meant, or one that looks the same; undefined where none is near. */
export function guessOf(name: string, names: readonly string[]): string | undefined {
  const near = sameLooking(name, names) ?? nearest(name, names)
  return near === undefined ? undefined : didYouMean([near], name)
}

/** @param known the arguments of a place @param open those of them that are not given */
function likeName(name: string, known: readonly string[], open: readonly string[]): readonly string[] {
  const near = askedName(name, known, open) ?? nearArgument(name, known)
  return near === undefined ? longerArguments(name, open) : [near]
}

/** Asks which argument was meant. The id of a thing is not its number, and would be another thing's. */
function meantBy(name: string, all: readonly string[], where: string): string {
  const asks = didYouMean(all.map(one => where + one))
  const [meant = ''] = all
  if (!/(?<!i)id$/.test(name) || !meant.endsWith('iid')) return asks
  const place = meant === 'iid' ? 'the project or group' : 'the project'
  return `${asks.slice(0, -1)} (the number in ${place}, not the id)?`
}

/** What is known of an argument that is not declared. */
interface UnknownHints {
  /** What is done where it is meant. */
  readonly instead?: string | undefined
  /** The same, where no other argument is near. */
  readonly otherwise?: string | undefined
  /** What its place has: where a name is only a part of one that is given, another was meant. */
  readonly given?: Readonly<Record<string, unknown>>
  /** What its place needs. */
  readonly required?: readonly string[] | undefined
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
    const { instead, otherwise, given = {}, required = [] } = hints()
    const path = where + name
    const shown = shortened(path, MAX_NAME_CHARS)
    const known = [...valid]
    const open = known.filter(other => (given[other] ?? null) === null)
    const all = name === 'id' ? namedById(open, required) : likeName(name, known, open)
    const meant = instead ?? (all.length === 0 ? otherwise : meantBy(name, all, where))
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
