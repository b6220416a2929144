import { type Operation, operations } from '../../forge/contract.ts'
import type { Forge } from '../../forge/index.ts'
import { finder, keyOf } from './surface.ts'

/*
 * Finds values for the parameters of an operation's path by asking the sandbox forge: the list that a parameter
 * chooses from stands where the path ends before it.
 */

type Item = Record<string, unknown>

const lists = finder(new Map(operations.map(each => [keyOf(each.method, each.path), each])))

/** How many items of a list are tried, where what is asked for may be below any of them. */
const TRIED = 8

export class Places {
  readonly #forge: Forge
  readonly #lists = new Map<string, Promise<Item[]>>()
  /** Values seen for a parameter's name, for those no list stands before. */
  readonly #seen = new Map<string, Set<string>>()

  constructor(forge: Forge) {
    this.#forge = forge
  }

  /** Asks the forge without anyone's client. */
  async ask(path: string, token = this.#forge.tokens.margaret!): Promise<{ status: number; value: unknown }> {
    const answer = await fetch(this.#forge.apiUrl + path, { headers: { 'private-token': token } })
    const text = await answer.text()
    try {
      return { status: answer.status, value: JSON.parse(text) }
    } catch {
      return { status: answer.status, value: text }
    }
  }

  /** Lists are remembered; after something was made or deleted they are asked for anew. */
  forget(): void {
    this.#lists.clear()
  }

  /** Each way to fill the parameters of a path, the likeliest first. */
  async *of(path: string): AsyncGenerator<{ values: string[]; path: string }> {
    const segments = path.replace('/api/v4', '').split('/').slice(1)
    yield* this.#fill(segments, 0, '', [])
  }

  async *#fill(
    segments: readonly string[],
    at: number,
    done: string,
    values: string[]
  ): AsyncGenerator<{ values: string[]; path: string }> {
    const segment = segments[at]
    if (segment === undefined) return yield { values, path: done }
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name === undefined) return yield* this.#fill(segments, at + 1, `${done}/${segment}`, values)
    for (const value of await this.#candidates(name, done))
      yield* this.#fill(segments, at + 1, `${done}/${encodeURIComponent(value)}`, [...values, value])
  }

  async #candidates(name: string, list: string): Promise<string[]> {
    if (list === '/projects') return ['acme/rocket']
    if (list === '/groups') return ['acme']
    const items = await this.#list(list)
    const found = items.slice(0, TRIED).flatMap(item => addressOf(item, name))
    const seen = this.#seen.get(name) ?? new Set()
    this.#seen.set(name, seen)
    if (found.length === 0) return [...seen].slice(0, TRIED)
    for (const value of found) seen.add(value)
    return found
  }

  #list(path: string): Promise<Item[]> {
    if (lists('GET', path) === undefined) return Promise.resolve([])
    const known = this.#lists.get(path)
    if (known !== undefined) return known
    const asked = this.ask(path).then(({ value }) => (Array.isArray(value) ? (value as Item[]) : []))
    this.#lists.set(path, asked)
    return asked
  }
}

/** What of a record its address is. */
export function addressOf(item: Item, name: string): string[] {
  const number =
    name === 'noteable_id' || name.endsWith('iid') ? item.iid : name.endsWith('id') ? item.id : undefined
  const value = item[name] ?? number ?? item.name ?? item.id
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : []
}

/** Whether an operation answers with a list, by what the contract says. */
export const isList = ({ responses }: Operation): boolean =>
  Object.entries(responses).some(([status, { type }]) => status.startsWith('2') && type === 'array')
