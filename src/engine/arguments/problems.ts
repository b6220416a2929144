import { nearest } from '../../base/nearest.ts'
import { CallProblem } from '../../results/problem.ts'
import { shortened } from '../../results/shortened.ts'
import { didYouMean, sameLooking } from '../../results/unseen-in-names.ts'
import { askedName, namedById } from './name-meant.ts'
import { longerArguments, nearArgument } from './near-argument.ts'

/** More would tell a caller nothing new, and each costs time and room in the answer. */
const MAX_UNKNOWN = 5
const MAX_PROBLEMS = 10
const MAX_NAME_CHARS = 60

/** Asks whether the nearest of some names was meant, or one that looks the same; undefined if none is near. */
export function guessOf(name: string, names: readonly string[]): string | undefined {
  const near = sameLooking(name, names) ?? nearest(name, names)
  return near === undefined ? undefined : didYouMean([near], name)
}

/** @param known the arguments of an object @param open those of them that are not given */
function likeName(name: string, known: readonly string[], open: readonly string[]): readonly string[] {
  const near = askedName(name, known, open) ?? nearArgument(name, known)
  return near === undefined ? longerArguments(name, open) : [near]
}

/**
 * Asks which argument was meant. For an id given instead of a number (iid), it says so: as a number, it would be
 * another thing's.
 */
function meantBy(name: string, all: readonly string[], where: string): string {
  const asks = didYouMean(all.map(one => where + one))
  const [meant = ''] = all
  if (!/(?<!i)id$/.test(name) || !meant.endsWith('iid')) return asks
  const place = meant === 'iid' ? 'the project or group' : 'the project'
  return `${asks.slice(0, -1)} (the number in ${place}, not the id)?`
}

/** Hints on an argument that is not declared. */
interface UnknownHints {
  /** What to do instead. */
  readonly instead?: string | undefined
  /** The same, used if no other argument has a similar name. */
  readonly otherwise?: string | undefined
  /** The arguments given beside it: if the name is a part of one of these, another one was meant. */
  readonly given?: Readonly<Record<string, unknown>>
  /** The arguments that are required beside it. */
  readonly required?: readonly string[] | undefined
}

/** Collects the problems with the arguments of one call, and keeps only a few. */
export class Problems {
  readonly #texts: string[] = []
  readonly #listed = new Set<string>()
  #unknown = 0

  /** @throws CallProblem when enough are collected to stop */
  add(problem: string): void {
    this.#texts.push(problem)
    if (this.#texts.length === MAX_PROBLEMS) this.refuse()
  }

  /**
   * Adds a name that is not declared. If no argument can be suggested, the valid names of its object are listed, once.
   * @param where prefix of the place @param hints called only for the few problems that are reported
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

  /** @throws CallProblem that lists the problems, if there are any */
  refuse(): void {
    if (this.#texts.length === 0) return
    const more = this.#unknown - MAX_UNKNOWN
    const rest = more > 0 ? [`and ${more} more unknown arguments`] : []
    const said = [...this.#texts, ...rest].join('; ')
    throw new CallProblem(`Invalid arguments: ${said}${said.endsWith('?') ? '' : '.'}`)
  }
}
