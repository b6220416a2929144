/**
 * A text of its own. What is cut out of a longer one keeps all of that in memory for as long as it is kept itself: an
 * address the whole header that it stood in, a line for a menu the megabytes that a forge called a title. So does what
 * it is put into by a template or `+`, also as the key of a map.
 */
export const ownText = (text: string): string => Buffer.from(text).toString()
