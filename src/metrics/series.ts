/*
 * Metrics that cost a few map look-ups to count. Samples are only made when the metrics are read; exposition.ts writes
 * them as text.
 */

type MetricType = 'counter' | 'gauge' | 'histogram'

export interface Sample {
  /** If it differs from the family's name: `…_bucket`, `…_sum`, `…_count`. */
  readonly metricName?: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

/** One metric with all its label values. The names of counters end in `_total`. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: MetricType
  readonly samples: readonly Sample[]
}

/** Returns the current state of a family. */
export interface Source {
  read(): Family
}

/** Most label combinations of one metric. Labels never contain text from a caller, so this is only a last safeguard. */
const MAX_SERIES = 2000

const labelled = (names: readonly string[], values: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))

interface Cell<T> {
  readonly labels: readonly string[]
  readonly cell: T
}

/** One level of labels: for each value the next level, or at the last level the cell. */
type Level<T> = Map<string, Level<T> | Cell<T>>

/** The values of one metric by label values, with one look-up for each label and without a combined key. */
class Series<T> {
  readonly #make: () => T
  readonly #root: Level<T> = new Map()
  readonly #cells: Cell<T>[] = []

  constructor(make: () => T) {
    this.#make = make
  }

  at(labels: readonly string[]): T | undefined {
    let level = this.#root
    const last = Math.max(0, labels.length - 1)
    for (let at = 0; at < last; at++) {
      let next = level.get(labels[at]!) as Level<T> | undefined
      if (next === undefined) {
        if (this.#cells.length >= MAX_SERIES) return undefined
        next = new Map()
        level.set(labels[at]!, next)
      }
      level = next
    }
    const name = labels[last] ?? ''
    return ((level.get(name) as Cell<T> | undefined) ?? this.#add(level, name, labels))?.cell
  }

  #add(level: Level<T>, name: string, labels: readonly string[]): Cell<T> | undefined {
    if (this.#cells.length >= MAX_SERIES) return undefined
    const entry = { labels: [...labels], cell: this.#make() }
    level.set(name, entry)
    this.#cells.push(entry)
    return entry
  }

  all(): readonly Cell<T>[] {
    return this.#cells
  }
}

/** A metric that only grows. */
export class Counter implements Source {
  readonly #name: string
  readonly #help: string
  readonly #labels: readonly string[]
  readonly #series = new Series(() => ({ value: 0 }))

  /** @param known label values that start at 0, so that rates include the first event */
  constructor(name: string, help: string, labels: readonly string[] = [], known: readonly string[][] = []) {
    this.#name = name
    this.#help = help
    this.#labels = labels
    for (const values of labels.length === 0 ? [[]] : known) this.#series.at(values)
  }

  count(...labels: string[]): void {
    const cell = this.#series.at(labels)
    if (cell !== undefined) cell.value++
  }

  /** The sum over all labels, or over those for which `matches` returns true. */
  total(matches: (labels: readonly string[]) => boolean = () => true): number {
    return this.#series
      .all()
      .filter(({ labels }) => matches(labels))
      .reduce((sum, { cell }) => sum + cell.value, 0)
  }

  read(): Family {
    const samples = this.#series
      .all()
      .map(({ labels, cell }) => ({ labels: labelled(this.#labels, labels), value: cell.value }))
    return { name: this.#name, help: this.#help, type: 'counter', samples }
  }
}

/** A metric of durations, in seconds. */
export class Histogram implements Source {
  readonly #name: string
  readonly #help: string
  readonly #labels: readonly string[]
  readonly #bounds: readonly number[]
  readonly #series: Series<{ counts: Float64Array; sum: number }>

  /** @param bounds upper bounds of the buckets, ascending, without the infinite last one */
  constructor(name: string, help: string, labels: readonly string[], bounds: readonly number[]) {
    this.#name = name
    this.#help = help
    this.#labels = labels
    this.#bounds = bounds
    this.#series = new Series(() => ({ counts: new Float64Array(bounds.length + 1), sum: 0 }))
  }

  observe(value: number, ...labels: string[]): void {
    const cell = this.#series.at(labels)
    if (cell === undefined) return
    let at = 0
    while (at < this.#bounds.length && value > this.#bounds[at]!) at++
    cell.counts[at]!++
    cell.sum += value
  }

  read(): Family {
    const samples = this.#series.all().flatMap(({ labels, cell }) => this.#samplesOf(labels, cell))
    return { name: this.#name, help: this.#help, type: 'histogram', samples }
  }

  #samplesOf(values: readonly string[], { counts, sum }: { counts: Float64Array; sum: number }): Sample[] {
    const labels = labelled(this.#labels, values)
    let count = 0
    const buckets = [...counts].map((here, at) => {
      count += here
      const le = at < this.#bounds.length ? String(this.#bounds[at]) : '+Inf'
      return { metricName: `${this.#name}_bucket`, labels: { ...labels, le }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${this.#name}_sum`, labels, value: sum },
      { metricName: `${this.#name}_count`, labels, value: count }
    ]
  }
}

/** A metric whose value is read elsewhere when it is needed. */
export const gauge = (
  name: string,
  help: string,
  now: () => number,
  labels: Readonly<Record<string, string>> = {}
): Source => ({ read: () => ({ name, help, type: 'gauge', samples: [{ labels, value: now() }] }) })
