/** Names from this number on make no array. */
const MAX_INDEX = 10_000
/** Most characters of a name that is a smaller number. */
export const INDEX_CHARS = String(MAX_INDEX).length

/**
 * Bytes that the name of a field takes, besides those of its value, if it is a number. V8 keeps such fields in an array
 * with room for all smaller numbers and half as many again: `{"1000":0}` takes 12 KB once it is copied or comes from
 * another thread.
 */
export function arrayBytes(name: string): number {
  if (name.length > INDEX_CHARS || !/^(?:0|[1-9]\d*)$/.test(name)) return 0
  const index = Number(name)
  return index < MAX_INDEX ? 8 * (1.5 * (index + 1) + 16) : 0
}
