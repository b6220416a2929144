/*
 * A value on its way from one thread to another. What arrives is made anew there, which takes as long as reading it
 * did, so a large one goes in slices, between which its receiver does other things.
 */

/** Values of one slice: a millisecond of the receiver's time. */
const SLICE_VALUES = 4_000

/** Characters that take as long as a value, of a text and of a name: a name is looked for among all there are. */
const TEXT_CHARS = 128
const NAME_CHARS = 32

type Path = readonly (string | number)[]
type Fields = Record<string | number, unknown>

/** Part of a value: the whole of it without what follows, or what belongs into a list or record of it. */
export interface Slice {
  /** Where `part` belongs: its items or fields are added there. */
  readonly into: Path
  readonly part: unknown
}

/** The slices of a value, as JSON has them, in an order in which each has its place by then. */
export function* slicesOf(value: unknown): Generator<Slice> {
  const weights = new Map<object, number>()
  if (weigh(value, weights) <= SLICE_VALUES) yield { into: [], part: value }
  else {
    yield { into: [], part: emptied(value as object) }
    yield* partsOf(value as object, [], weights)
  }
}

/** Counts the values in a value, long texts and names as several, and remembers the count of what is large. */
function weigh(value: unknown, weights: Map<object, number>): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / TEXT_CHARS)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return 1
  let weight = 1
  // The names of a list's items are not to be made: there may be hundreds of thousands.
  if (Array.isArray(value)) for (const item of value) weight += weigh(item, weights)
  else for (const key in value) weight += weigh((value as Fields)[key], weights) + weightOfName(key)
  if (weight > SLICE_VALUES) weights.set(value, weight)
  return weight
}

const weightOfName = (name: string): number => Math.floor(name.length / NAME_CHARS)

function* partsOf(whole: object, into: Path, weights: Map<object, number>): Generator<Slice> {
  for (const { part, large } of runsIn(whole, weights)) {
    yield { into, part }
    if (large !== undefined) yield* partsOf(large[1], [...into, large[0]], weights)
  }
}

interface Run {
  readonly part: object
  /** The last that is in it, there without what is in that: it follows. */
  readonly large?: readonly [key: string | number, item: object]
}

/** What is in a list or record, as much at a time as goes into a slice. */
function* runsIn(whole: object, weights: Map<object, number>): Generator<Run> {
  let part = emptied(whole)
  let weight = 0
  for (const key of Array.isArray(whole) ? whole.keys() : Object.keys(whole)) {
    const item = (whole as Fields)[key]
    const large = isLarge(item, weights) ? ([key, item] as const) : undefined
    put(part, key, large === undefined ? item : emptied(large[1]))
    // What is not large itself is counted again: to remember all counts would take as much as the value.
    weight += large === undefined ? weigh(item, weights) : SLICE_VALUES
    if (typeof key === 'string') weight += weightOfName(key)
    if (weight < SLICE_VALUES) continue
    yield { part, ...(large && { large }) }
    part = emptied(whole)
    weight = 0
  }
  if (weight > 0) yield { part }
}

const isLarge = (item: unknown, weights: Map<object, number>): item is object =>
  typeof item === 'object' && item !== null && weights.has(item)

const emptied = (whole: object): object => (Array.isArray(whole) ? [] : {})

/** Puts slices together again. */
export class Assembly {
  #whole: unknown
  #begun = false

  get value(): unknown {
    return this.#whole
  }

  add({ into, part }: Slice): void {
    if (!this.#begun) {
      this.#begun = true
      this.#whole = part
      return
    }
    let place = this.#whole as Fields
    for (const key of into) place = place[key] as Fields
    if (Array.isArray(place)) for (const item of part as unknown[]) place.push(item)
    else for (const key in part as Fields) put(place, key, (part as Fields)[key])
  }
}

/** Adds an item to a list, or a field to a record. */
function put(whole: object, key: string | number, value: unknown): void {
  if (Array.isArray(whole)) whole.push(value)
  // Assigning it is several times as fast, but a field may have the name of the one setter that all objects have.
  else if (key === '__proto__')
    Object.defineProperty(whole, key, { value, writable: true, enumerable: true, configurable: true })
  else (whole as Fields)[key] = value
}
