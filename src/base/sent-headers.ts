/**
 * Where a header stands among those of a request as they were sent. To be asked where one that comes twice must not be
 * taken for one: Node drops the second of some names, such as Host and Authorization, and joins others into a list.
 * @param raw names and values in turn, as in `IncomingMessage.rawHeaders`
 * @param name in small letters
 * @returns the places of its name, each with its value at the next one
 */
export function placesOfHeader(raw: readonly string[], name: string): readonly number[] {
  const places: number[] = []
  for (let at = 0; at < raw.length; at += 2)
    if (raw[at]!.length === name.length && raw[at]!.toLowerCase() === name) places.push(at)
  return places
}
