/** The result of a row's `shape`, with a notice from its own code. */
export class Noted {
  readonly value: unknown
  /** As sentences. */
  readonly notice: string

  constructor(value: unknown, notice: string) {
    this.value = value
    this.notice = notice
  }
}
