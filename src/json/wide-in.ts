const NONE = Number.POSITIVE_INFINITY

/**
 * Finds which strings of a JSON text have characters beyond Latin-1, as they are or escaped. Asked in order, all
 * questions together take linear time.
 */
export class WideIn {
  readonly #text: string
  // V8 does not search a text of one byte each at all.
  readonly #beyond = /[^\u0000-\u00ff]/g
  /** Where the next one of each kind is: searched for again only once it is passed. */
  #wide = -1
  #escaped = -1

  constructor(text: string) {
    this.#text = text
  }

  /** Whether there is one from `start` to `end`; neither may be before that of an earlier call. */
  between(start: number, end: number): boolean {
    if (this.#wide < start) this.#wide = this.#nextWide(start)
    if (this.#escaped < start) this.#escaped = this.#nextEscape(start)
    return this.#wide < end || this.#escaped < end
  }

  #nextWide(from: number): number {
    this.#beyond.lastIndex = from
    return this.#beyond.test(this.#text) ? this.#beyond.lastIndex - 1 : NONE
  }

  #nextEscape(from: number): number {
    let at = this.#text.indexOf('\\u', from)
    while (at !== -1 && this.#text.startsWith('00', at + 2)) at = this.#text.indexOf('\\u', at + 6)
    return at === -1 ? NONE : at
  }
}
