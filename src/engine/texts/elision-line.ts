/* A line that may stand for omitted text (elision-words.ts), parsed into its signs and its words. */

const mark = /^(?:\{?\/\*+|<!--|\/\/+|#+|--+|;+|%+)/
const markEnd = /(?:\*{1,9}\/\}?|-->)$/
const dotsFirst = /^(?:(?:\.{3}|…)[.…]{0,9}|⋯{1,4}|・{3,6}|。{3,6})/
const dotsLast = /(?:(?:\.{3}|…)[.…]{0,9}|⋯{1,4}|・{3,6}|。{3,6})$/
const between = /[\s()[\],;:.…–—、。・،’'-]/
const brackets = ['()', '[]', '<>', '【】', '〔〕']

/** Full-width signs and letters of East Asian texts: the same characters as in ASCII, in the same order. */
const wide = /[！-～]/g
const WIDER = 0xfee0
const narrow = (char: string): string => String.fromCharCode(char.charCodeAt(0) - WIDER)

/** A line without the signs around its words. */
export interface Peeled {
  readonly isMarkdown: boolean
  /** Its comment sign, if it is a comment. In Markdown a hash begins a heading instead. */
  readonly comment: string | undefined
  /**
   * `any`: whether it has dots before its words, or after those of a comment. `both`: whether it has dots on both
   * sides.
   */
  readonly dots: { readonly any: boolean; readonly both: boolean }
  /** Its opening bracket. */
  readonly bracket: string | undefined
  readonly said: string
  /** The words of `said`, in small letters. */
  readonly words: readonly string[]
}

/**
 * Parses a line. Full-width signs of East Asian texts are read as those of ASCII. No other normalization is done: it
 * may turn one character into eighteen, and the limits count characters as they were sent.
 * @param isMarkdown whether the line is one of Markdown
 */
export function peeled(line: string, isMarkdown: boolean): Peeled {
  let said = line.trim().replace(wide, narrow)
  if (isMarkdown) said = said.replace(/^[*_]{1,3}(?=[[(<.…【〔⋯・])/, '').replace(/[*_]{1,3}$/, '')
  const [sign = ''] = mark.exec(said) ?? []
  said = said.slice(sign.length).replace(markEnd, '').trim()
  let [first, last, bracket]: [boolean, boolean, string | undefined] = [false, false, undefined]
  // Dots may be within brackets or around them, so there are two rounds.
  for (let round = 0; round < 2; round++) {
    first ||= dotsFirst.test(said)
    last ||= dotsLast.test(said)
    said = said.replace(dotsFirst, '').replace(dotsLast, '').trim()
    const pair = brackets.find(([open, close]) => said[0] === open && said.at(-1) === close)
    if (pair === undefined) continue
    bracket ??= pair[0]
    said = said.slice(1, -1).trim()
  }
  const comment = sign === '' || (isMarkdown && sign.startsWith('#')) ? undefined : sign
  return {
    isMarkdown,
    comment,
    // Outside of comments, dots after words are how people end a sentence.
    dots: { any: first || (last && comment !== undefined), both: first && last },
    bracket,
    said,
    words: said
      .toLowerCase()
      .split(between)
      .filter(word => word !== '')
  }
}
