/** The terms of a search: single words, and texts in quotation marks. */
const terms = (search: string): string[] =>
  [...search.toLowerCase().matchAll(/(?<!\S)"([^"]+)"(?!\S)|\S+/g)].map(found => found[1] ?? found[0])

/** Gives a function that tells whether a text contains all terms of a search, in any order (Gitlab::SQL::Pattern). */
export const withWords = (search: string | undefined): ((text: string | null) => boolean) => {
  const wanted = terms(search ?? '')
  return text => text !== null && wanted.every(term => text.toLowerCase().includes(term))
}
