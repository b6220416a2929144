/** One of our words with its indefinite article: a branch, an issue, a user. */
export const withArticle = (word: string): string => `${/^(?!use)[aeiou]/.test(word) ? 'an' : 'a'} ${word}`
