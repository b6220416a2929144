import { parse } from 'secure-json-parse'
import { type ShapeLimits, shapeOf, VALUE_BYTES } from '../../json/shape.ts'

/** Most characters of one text: no argument that is written as JSON needs more. */
const MAX_JSON = 20_000

/** Most bytes that the values of all JSON texts of a call may take, as shapeOf counts them: some hundreds of values. */
const MAX_WEIGHT = 64 * 1024

/** No argument needs more levels, or has numbers as field names. */
const shape: ShapeLimits = { depth: 16, lists: 16, values: MAX_WEIGHT / VALUE_BYTES, arrays: 4 * 1024 }

/**
 * Reads the JSON that models write as text into the arguments of one call. The shape of these texts is checked here,
 * because the check of the message counts each as one value. Without this check a list of texts whose field names are
 * all new held the event loop for a second, and a list of `{"99":0}` took twenty times its characters as long as its
 * call lasted.
 */
export class JsonTexts {
  #left = MAX_WEIGHT

  /** @returns undefined for a text that is not JSON, or that exceeds the limits of the call */
  read(text: string): unknown {
    if (text.length > Math.min(MAX_JSON, this.#left)) return undefined
    const read = shapeOf(text, shape)
    // Once a text exceeds the limits, no further one is read.
    this.#left -= read.fault === undefined ? read.weight : this.#left
    if (read.fault !== undefined || this.#left < 0) return undefined
    try {
      return parse(text)
    } catch {
      return undefined
    }
  }
}
