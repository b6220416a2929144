/** What `shape` of a row shows, with a notice that only its own work tells of. */
export class Noted {
  readonly value: unknown
  /** As sentences. */
  readonly notice: string

  constructor(value: unknown, notice: string) {
    this.value = value
    this.notice = notice
  }
}
