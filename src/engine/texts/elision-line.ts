/* A line that may stand for others (elision-words.ts), taken apart into its signs and its words. */

const mark = /^(?:\{?\/\*+|<!--|\/\/+|#+|--+|;+|%+)/
const markEnd = /(?:\*{1,9}\/\}?|-->)$/
const dotsFirst = /^(?:(?:\.{3}|…)[.…]{0,9}|⋯{1,4}|・{3,6}|。{3,6})/
const dotsLast = /(?:(?:\.{3}|…)[.…]{0,9}|⋯{1,4}|・{3,6}|。{3,6})$/
const between = /[\s()[\],;:.…–—、。・،’'-]/
const brackets = ['()', '[]', '<>', '【】', '〔〕']

/** Signs and letters that are as wide as those of East Asia: as many code units as those of ASCII, in the same order. */
const wide = /[！-～]/g
const WIDER = 0xfee0
const narrow = (char: string): string => String.fromCharCode(char.charCodeAt(0) - WIDER)

/** A line without what encloses its words. */
export interface Peeled {
  readonly isMarkdown: boolean
  /** Its sign, if it is a comment: in Markdown a hash begins a heading. */
  readonly comment: string | undefined
  /** Whether it has dots before its words, after them, and on both sides. */
  readonly dots: { readonly any: boolean; readonly both: boolean }
  /** The bracket that opened it. */
  readonly bracket: string | undefined
  readonly said: string
  /** What is said, in small letters. */
  readonly words: readonly string[]
}

/**
 * Takes a line apart. Signs of full width, which texts of East Asia have, are read as those of ASCII. Nothing else is
 * normalized: a character may become eighteen then, and what is looked at is counted as it was sent.
 * @param isMarkdown whether the line is one of Markdown
 */
export function peeled(line: string, isMarkdown: boolean): Peeled {
  let said = line.trim().replace(wide, narrow)
  if (isMarkdown) said = said.replace(/^[*_]{1,3}(?=[[(<.…【〔⋯・])/, '').replace(/[*_]{1,3}$/, '')
  const [sign = ''] = mark.exec(said) ?? []
  said = said.slice(sign.length).replace(markEnd, '').trim()
  let [first, last, bracket]: [boolean, boolean, string | undefined] = [false, false, undefined]
  // Dots are within brackets, or around them.
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
    // Dots after words that no comment holds are how people stop.
    dots: { any: first || (last && comment !== undefined), both: first && last },
    bracket,
    said,
    words: said
      .toLowerCase()
      .split(between)
      .filter(word => word !== '')
  }
}
