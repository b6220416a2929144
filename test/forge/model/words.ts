/** The parts of a search: words, and what is in quotation marks as it is. */
const terms = (search: string): string[] =>
  [...search.toLowerCase().matchAll(/(?<!\S)"([^"]+)"(?!\S)|\S+/g)].map(found => found[1] ?? found[0])

/** Prepares whether a text has all words of a search, in any order (Gitlab::SQL::Pattern). */
export const withWords = (search: string | undefined): ((text: string | null) => boolean) => {
  const wanted = terms(search ?? '')
  return text => text !== null && wanted.every(term => text.toLowerCase().includes(term))
}
