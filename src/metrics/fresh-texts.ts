import { RequestBudget } from '../fairness/request-budget.ts'
import { contentTypes, type TextFormat } from './exposition.ts'

/**
 * Most texts of one format that are made in FRESH_MS, whoever asks. Further scrapes get the last text. Each text takes
 * a millisecond of the event loop.
 */
const FRESH = 4
const FRESH_MS = 250

/** The metrics as texts: many scrapes at once get the same text. */
export class FreshTexts {
  readonly #write: (format: TextFormat) => Promise<string>
  readonly #fresh = new RequestBudget(FRESH, FRESH_MS, Object.keys(contentTypes).length)
  readonly #last = new Map<TextFormat, Promise<string>>()

  /** @param write makes a text of the current measurements */
  constructor(write: (format: TextFormat) => Promise<string>) {
    this.#write = write
  }

  of(format: TextFormat): Promise<string> {
    const written = this.#fresh.take(format) && this.#last.get(format)
    if (written !== undefined) return written
    const made = this.#write(format)
    this.#last.set(format, made)
    return made
  }
}
