/** Most ranges of a header that are read, and most parameters of each: thousands would cost more than the call. */
const MAX_RANGES = 100
const MAX_PARAMETERS = 10

/** A media range of Accept, in lower case (RFC 9110, section 12.5.1). */
export interface MediaRange {
  /** For example text/plain, or text/* for all types of its kind. */
  readonly type: string
  /** As they were sent, for example `q=0.5`; see rangeParameterOf. */
  readonly parameters: readonly string[]
}

/** The ranges that an Accept header names, in its order. */
export const mediaRanges = (accept: string): MediaRange[] => accept.split(',', MAX_RANGES).map(readRange)

function readRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.toLowerCase().split(';', MAX_PARAMETERS)
  return { type: type.trim(), parameters }
}

/**
 * The value of a range's parameter, unchecked; undefined if there is none.
 * @param name in lower case
 */
export function rangeParameterOf({ parameters }: MediaRange, name: string): string | undefined {
  for (const parameter of parameters) {
    const at = parameter.indexOf('=')
    if (at > 0 && parameter.slice(0, at).trim() === name) return parameter.slice(at + 1).trim()
  }
  return undefined
}
