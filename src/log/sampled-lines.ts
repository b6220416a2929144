/** How much is logged of many similar events: the first lines in each window, and how many more there were. */
export interface Sampling {
  readonly lines: number
  readonly windowMs: number
}

/** For events that callers cause. */
export const refusalSampling: Sampling = { lines: 20, windowMs: 10_000 }

/**
 * For errors here or at a forge: many of them are one problem for the operator who is alerted, and their lines are
 * long.
 */
export const troubleSampling: Sampling = { lines: 5, windowMs: 60_000 }

/** The line that says how many more events there were: the field that names the kind, and the message. */
export interface Sums {
  readonly kind: string
  readonly more: string
}

export type Write = (fields: object, message: string) => void

/**
 * Logs events of which there may be very many: all if they are few, otherwise the first of each kind in each window.
 */
export class SampledLines {
  readonly #write: Write
  readonly #sampling: Sampling
  readonly #sums: Sums
  /** Number of events in this window, by kind. There are few kinds, such as statuses and names of failures. */
  readonly #counts = new Map<string | number, number>()
  #timer: NodeJS.Timeout | undefined

  /** @param write writes a line */
  constructor(write: Write, sampling: Sampling, sums: Sums) {
    this.#write = write
    this.#sampling = sampling
    this.#sums = sums
  }

  /**
   * Logs an event, if its kind has lines left.
   * @param fields makes the fields, and is only called if a line is written
   */
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
