import { unseen } from '../base/unseen.ts'

/* What is known of each character that decides which ones a text is shown without. */

/** Hieroglyphs without the controls of their layout are still read. */
export const hidden = new RegExp(`[${unseen}\\p{Surrogate}\\u0000-\\u0008\\u000b-\\u001f]`, 'u')

/** Plain ASCII, which most text is and of which all is seen, is passed over at once. */
export const notPlain = /[^\t\n -~]/

/** So many plain characters are looked at in the time of one other. */
const PLAIN_FOR_ONE = 10
/** How dear it is to look at a text, in characters that are not plain. */
export const dearChars = (text: string): number =>
  notPlain.test(text) ? text.length : text.length / PLAIN_FOR_ONE

const inScripts = (names: string, before = ''): RegExp =>
  new RegExp(`${before}[${names.replace(/\w+ ?/g, name => `\\p{Script=${name.trim()}}`)}]`, 'u')

/** Scripts in which joiners change the form of letters. */
const joining = inScripts(
  'Arab Syrc Mand Mong Nkoo Adlm Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Java Bali'
)
/** Scripts without blanks between words. */
const unspaced = inScripts('Khmr Thai Laoo Mymr', '(?=[\\p{L}\\p{M}])')
/** Where Unicode keeps what is written from right to left; it has no property that JavaScript knows. */
const leftward = /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** What a character is, which may be several of these. */
const KNOWN = 1
const HIDDEN = 2
/** Of a script in which joiners change the form of letters. */
export const JOINING = 4
export const EMOJI = 8
/** What may follow an emoji and belongs to it. */
export const MODIFIER = 16
/** Any other sign of which there may be two forms. */
export const SYMBOL = 32
/** What stands on the character before it. */
export const MARK = 64
/** A letter, or a mark on one, of a script without blanks between words. */
export const UNSPACED = 128
export const MONGOLIAN = 256
export const HAN = 512
/** A letter that is written from right to left. */
export const LEFTWARD = 1024
export const LETTER = 2048
const modifier = [MODIFIER, /[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/u] as const
/** What stands beside a character that is not seen is a reason for it only if it is seen. */
const looksOfHidden = [modifier]
const looksOfSeen = [
  [JOINING, joining],
  [EMOJI, /\p{Extended_Pictographic}/u],
  modifier,
  [SYMBOL, /(?![ -~])\p{S}/u],
  [MARK, /\p{M}/u],
  [UNSPACED, unspaced],
  [MONGOLIAN, /(?=\p{L})\p{Script=Mong}/u],
  [HAN, /\p{Unified_Ideograph}/u],
  [LEFTWARD, leftward],
  [LETTER, /\p{L}/u]
] as const

/**
 * What is known of each character, by code point. It fills as they occur: to look all of them up takes a third of a second,
 * and to look for the first hidden one in a long text with the pattern would hold the event loop for tens of milliseconds.
 * Some processes see nothing but plain text for long, and its megabytes have more of each call outlive young collections.
 */
let kinds: Uint16Array | undefined

/** Whether a character, given as its code point, is of one of some kinds. */
export const is = (code: number, kind: number): boolean => ((kinds?.[code] || kindOf(code)) & kind) !== 0

function kindOf(code: number): number {
  kinds ??= new Uint16Array(0x110000)
  const char = String.fromCodePoint(code)
  const isUnseen = hidden.test(char)
  let kind = isUnseen ? KNOWN | HIDDEN : KNOWN
  for (const [one, look] of isUnseen ? looksOfHidden : looksOfSeen) if (look.test(char)) kind |= one
  kinds[code] = kind
  return kind
}

/** Whether nobody sees a character, given as its code point. */
export const isHidden = (code: number): boolean => is(code, HIDDEN)
