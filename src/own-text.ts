/**
 * A text of its own. What is cut out of a longer one keeps all of that in memory for as long as it is kept itself: an
 * address the whole header that it stood in, a parameter its whole query.
 */
export const ownText = (text: string): string => Buffer.from(text).toString()
