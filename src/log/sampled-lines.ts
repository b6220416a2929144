/** How much of a storm is told: its first lines in each window, and how many more there were. */
export interface Sampling {
  readonly lines: number
  readonly windowMs: number
}

/** Of what callers bring about. */
export const refusalSampling: Sampling = { lines: 20, windowMs: 10_000 }

/** Of what is wrong here or with a forge: a storm is one matter to whoever is called by it, and its lines are long. */
export const troubleSampling: Sampling = { lines: 5, windowMs: 60_000 }

/** The line of how many more there were: its field that holds the kind, and its words. */
export interface Sums {
  readonly kind: string
  readonly more: string
}

export type Write = (fields: object, message: string) => void

/** Lines of which there may be very many: all of a few, and of many the first of each kind in each window. */
export class SampledLines {
  readonly #write: Write
  readonly #sampling: Sampling
  readonly #sums: Sums
  /** Kinds are few: statuses, names of failures. */
  readonly #counts = new Map<string | number, number>()
  #timer: NodeJS.Timeout | undefined

  /** @param write makes a line */
  constructor(write: Write, sampling: Sampling, sums: Sums) {
    this.#write = write
    this.#sampling = sampling
    this.#sums = sums
  }

  /** @param fields makes those of the line, when there is to be one */
  add(kind: string | number, message: string, fields: () => object): void {
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    this.#timer ??= setTimeout(() => this.#sumUp(), this.#sampling.windowMs).unref()
    if (count <= this.#sampling.lines) this.#write(fields(), message)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#sumUp()
  }

  #sumUp(): void {
    this.#timer = undefined
    const { lines } = this.#sampling
    const { kind: field, more } = this.#sums
    for (const [kind, count] of this.#counts)
      if (count > lines) this.#write({ [field]: kind, more: count - lines }, more)
    this.#counts.clear()
  }
}
