/** What the strings of a JSON text have beyond Latin-1, as it is or escaped, from its beginning on, in linear time for all. */
export class WideIn {
  readonly #text: string
  // V8 does not search a text of one byte each at all.
  readonly #wide = /[^\u0000-\u00ff]/g
  #next: number

  constructor(text: string) {
    this.#text = text
    this.#next = this.#find(0)
  }

  /** Whether there is one before `end`, which must not be before that of an earlier call. Those before it count once. */
  before(end: number): boolean {
    if (this.#next >= end) return false
    this.#next = this.#find(end)
    return true
  }

  #find(from: number): number {
    this.#wide.lastIndex = from
    const wide = this.#wide.test(this.#text) ? this.#wide.lastIndex - 1 : Number.POSITIVE_INFINITY
    let escaped = this.#text.indexOf('\\u', from)
    while (escaped !== -1 && escaped < wide && this.#text.startsWith('00', escaped + 2))
      escaped = this.#text.indexOf('\\u', escaped + 6)
    return escaped === -1 ? wide : Math.min(wide, escaped)
  }
}
