/** How much of a storm is told: its first lines in each window, and how many more there were. */
export interface Sampling {
  readonly lines: number
  readonly windowMs: number
}

export type Write = (fields: object, message: string) => void

/** Lines of which there may be very many: all of a few, and of many the first of each kind in each window. */
export class SampledLines {
  readonly #write: Write
  readonly #sampling: Sampling
  readonly #kind: string
  readonly #more: string
  /** Kinds are few: statuses, names of failures. */
  readonly #counts = new Map<string | number, number>()
  #timer: NodeJS.Timeout | undefined

  /**
   * @param write makes a line
   * @param kind field that holds the kind in the sum of what was left out, and `more` the words of that line
   */
  constructor(write: Write, sampling: Sampling, { kind, more }: { kind: string; more: string }) {
    this.#write = write
    this.#sampling = sampling
    this.#kind = kind
    this.#more = more
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
    for (const [kind, count] of this.#counts)
      if (count > lines) this.#write({ [this.#kind]: kind, more: count - lines }, this.#more)
    this.#counts.clear()
  }
}
