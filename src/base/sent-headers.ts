/**
 * Finds a header among those of a request as they were sent. Needed where a header that occurs twice must not pass for
 * one: Node drops the second of some headers, such as Host and Authorization, and joins others into a list.
 * @param raw alternating names and values, as in `IncomingMessage.rawHeaders`
 * @param name in lower case
 * @returns the indexes of the name; each value is at the next index
 */
export function placesOfHeader(raw: readonly string[], name: string): readonly number[] {
  const places: number[] = []
  for (let at = 0; at < raw.length; at += 2)
    if (raw[at]!.length === name.length && raw[at]!.toLowerCase() === name) places.push(at)
  return places
}
