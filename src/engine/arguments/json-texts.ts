import { parse } from 'secure-json-parse'
import { type ShapeLimits, shapeOf, VALUE_BYTES } from '../../json/shape.ts'

/** Most characters of one text: no argument that is written as JSON needs more. */
const MAX_JSON = 20_000

/** Bytes that the values of all texts of a call may take, as shapeOf weighs them: some hundreds of values. */
const MAX_WEIGHT = 64 * 1024

/** No argument has parts in more levels, or fields that are numbers. */
const shape: ShapeLimits = { depth: 16, lists: 16, values: MAX_WEIGHT / VALUE_BYTES, arrays: 4 * 1024 }

/**
 * Reads the JSON that stands as text in the arguments of one call, as models write it. Its shape was not checked with that
 * of the message, for which it counts as one value: a list of texts whose names are all new held the event loop for a
 * second, and one of `{"99":0}` took twenty times its characters for as long as its call lasted.
 */
export class JsonTexts {
  #left = MAX_WEIGHT

  /** @returns undefined for what is no JSON, or is more than may be of one call */
  read(text: string): unknown {
    if (text.length > Math.min(MAX_JSON, this.#left)) return undefined
    const read = shapeOf(text, shape)
    // After one that is more than may be no other is looked at.
    this.#left -= read.fault === undefined ? read.weight : this.#left
    if (read.fault !== undefined || this.#left < 0) return undefined
    try {
      return parse(text)
    } catch {
      return undefined
    }
  }
}
