import { arrayBytes } from '../json/index-names.ts'
import { VALUE_BYTES } from '../json/shape.ts'

/*
 * Passes a value from one thread to another. The receiver rebuilds the value, which takes as long as parsing it did. So
 * a large value is sent in slices, and the receiver does other work between them.
 */

/** Values in one slice, which take the receiver a millisecond. */
const SLICE_VALUES = 4_000

/** Characters of a text, or of a name, that take as long as a value: each name is looked up among all known names. */
const TEXT_CHARS = 128
const NAME_CHARS = 32

type Path = readonly (string | number)[]
/** A list or a record, by index or name. */
type Parts = Record<string | number, unknown>

/**
 * A part of a value: either the value without the large parts that follow, or some items or fields of a list or record
 * in it.
 */
export interface Slice {
  /** The path of the list or record to which the items or fields of `part` are added. */
  readonly into: Path
  readonly part: unknown
}

/**
 * Cuts a JSON value into slices. Their order makes sure that the list or record for each slice exists when it arrives.
 */
export function* slicesOf(value: unknown): Generator<Slice> {
  const weights = new Map<object, number>()
  if (weigh(value, weights) <= SLICE_VALUES) yield { into: [], part: value }
  else {
    yield { into: [], part: emptied(value as object) }
    yield* partsOf(value as object, [], weights)
  }
}

/**
 * Counts the values in a value, long texts and names as several, and remembers the counts of large lists and records.
 */
function weigh(value: unknown, weights: Map<object, number>): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / TEXT_CHARS)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return 1
  let weight = 1
  // Does not create the index names of list items: there may be hundreds of thousands.
  if (Array.isArray(value)) for (const item of value) weight += weigh(item, weights)
  else for (const key in value) weight += weigh((value as Parts)[key], weights) + weightOfName(key)
  if (weight > SLICE_VALUES) weights.set(value, weight)
  return weight
}

/** The cost of a name beyond its value, in values: a name that is a number makes V8 allocate an array. */
const weightOfName = (name: string): number =>
  Math.floor(name.length / NAME_CHARS) + Math.floor(arrayBytes(name) / VALUE_BYTES)

function* partsOf(whole: object, into: Path, weights: Map<object, number>): Generator<Slice> {
  for (const { part, large } of runsIn(whole, weights)) {
    yield { into, part }
    if (large !== undefined) yield* partsOf(large[1], [...into, large[0]], weights)
  }
}

interface Run {
  readonly part: object
  /** The last item of the slice, if it is large. Its place is in this slice, and its content follows in later ones. */
  readonly large?: readonly [key: string | number, item: object]
}

/** The content of a list or record, in parts that fit into a slice. */
function* runsIn(whole: object, weights: Map<object, number>): Generator<Run> {
  let part = emptied(whole)
  let weight = 0
  for (const key of Array.isArray(whole) ? whole.keys() : Object.keys(whole)) {
    const item = (whole as Parts)[key]
    const large = isLarge(item, weights) ? ([key, item] as const) : undefined
    put(part, key, large === undefined ? item : emptied(large[1]))
    // Small items are counted again: remembering all counts would take as much memory as the value.
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
    let place = this.#whole as Parts
    for (const key of into) place = place[key] as Parts
    if (Array.isArray(place)) for (const item of part as unknown[]) place.push(item)
    else for (const key in part as Parts) put(place, key, (part as Parts)[key])
  }
}

/** Adds an item to a list, or a field to a record. */
function put(whole: object, key: string | number, value: unknown): void {
  if (Array.isArray(whole)) whole.push(value)
  // Assignment is several times as fast as defining, but a field may have the name of the only setter that all objects
  // have.
  else if (key === '__proto__')
    Object.defineProperty(whole, key, { value, writable: true, enumerable: true, configurable: true })
  else (whole as Parts)[key] = value
}
