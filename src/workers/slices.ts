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
  const isList = Array.isArray(value)
  let weight = 1
  for (const key in value) {
    weight += weigh((value as Record<string, unknown>)[key], weights)
    if (!isList) weight += weightOfName(key)
  }
  if (weight > SLICE_VALUES) weights.set(value, weight)
  return weight
}

const weightOfName = (name: string): number => Math.floor(name.length / NAME_CHARS)

function* partsOf(whole: object, into: Path, weights: Map<object, number>): Generator<Slice> {
  const isList = Array.isArray(whole)
  for (const { entries, large } of runsIn(whole, weights)) {
    yield { into, part: isList ? entries.map(([, item]) => item) : Object.fromEntries(entries) }
    if (large !== undefined)
      yield* partsOf(large[1], [...into, isList ? Number(large[0]) : large[0]], weights)
  }
}

interface Run {
  readonly entries: readonly (readonly [key: string, item: unknown])[]
  /** The last of them, without what is in it: that follows. */
  readonly large?: readonly [key: string, item: object]
}

/** What is in a list or record, as much at a time as goes into a slice. */
function* runsIn(whole: object, weights: Map<object, number>): Generator<Run> {
  const isList = Array.isArray(whole)
  let entries: [string, unknown][] = []
  let weight = 0
  for (const [key, item] of Object.entries(whole)) {
    const large = weights.has(item) ? ([key, item] as const) : undefined
    entries.push([key, large === undefined ? item : emptied(item)])
    // What is not large itself is counted again: to remember all counts would take as much as the value.
    weight += large === undefined ? weigh(item, weights) : SLICE_VALUES
    if (!isList) weight += weightOfName(key)
    if (weight < SLICE_VALUES) continue
    yield { entries, ...(large && { large }) }
    entries = []
    weight = 0
  }
  if (entries.length > 0) yield { entries }
}

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
    let place = this.#whole as Record<string | number, unknown>
    for (const key of into) place = place[key] as typeof place
    if (Array.isArray(place)) for (const item of part as unknown[]) place.push(item)
    else for (const key in part as typeof place) addField(place, key, (part as typeof place)[key])
  }
}

/** Assigning it is several times as fast, but a field may have the name of the one setter that all objects have. */
function addField(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true })
  else record[key] = value
}
