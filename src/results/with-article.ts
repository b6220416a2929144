/** A word of ours with the indefinite article of its first sound: a branch, an issue, a user. */
export const withArticle = (word: string): string => `${/^(?!use)[aeiou]/.test(word) ? 'an' : 'a'} ${word}`
