/**
 * Copies a text into memory of its own. V8 keeps a longer text in memory as long as any part that was cut out of it: an
 * address keeps the whole header that contained it, and a line for a menu keeps the megabytes that a forge sent as a
 * title. The same is true of a text that is made from such a part by a template or `+`, and of keys of a map.
 */
export const ownText = (text: string): string => Buffer.from(text).toString()
