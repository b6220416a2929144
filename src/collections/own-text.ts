/**
 * Copies a text into memory of its own. A part cut out of a longer text keeps all of that in memory for as long as it
 * is kept itself: an address keeps the whole header it was in, a line for a menu the megabytes that a forge called a
 * title. So does a text made from it by a template or `+`, also as the key of a map.
 */
export const ownText = (text: string): string => Buffer.from(text).toString()
