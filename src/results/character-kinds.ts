import { unseen } from '../base/unseen.ts'

/* The kinds of each character, which decide which characters a text is shown without. */

/** Matches hidden characters. Hieroglyphs stay readable without the control characters of their layout. */
export const hidden = new RegExp(`[${unseen}\\p{Surrogate}\\u0000-\\u0008\\u000b-\\u001f]`, 'u')

/**
 * Matches characters other than plain ASCII. Most text is plain ASCII, which is always visible, so it is skipped at
 * once.
 */
export const notPlain = /[^\t\n -~]/

/** This many plain characters are examined in the time of one other. */
const PLAIN_FOR_ONE = 10
/** The cost of examining a text, in characters that are not plain. */
export const dearChars = (text: string): number =>
  notPlain.test(text) ? text.length : text.length / PLAIN_FOR_ONE

const inScripts = (names: string, before = ''): RegExp =>
  new RegExp(`${before}[${names.replace(/\w+ ?/g, name => `\\p{Script=${name.trim()}}`)}]`, 'u')

/** Scripts with joiners that change the form of letters. */
const joining = inScripts(
  'Arab Syrc Mand Mong Nkoo Adlm Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Java Bali'
)
/** Scripts without blanks between words. */
const unspaced = inScripts('Khmr Thai Laoo Mymr', '(?=[\\p{L}\\p{M}])')
/** The Unicode ranges of scripts that are written from right to left; JavaScript has no Unicode property for that. */
const leftward = /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** The kinds of characters, as bits: a character may have several. */
const KNOWN = 1
const HIDDEN = 2
/** A character of a script in which joiners change the form of letters. */
export const JOINING = 4
export const EMOJI = 8
/** A character that may follow an emoji and belongs to it. */
export const MODIFIER = 16
/** Any other symbol that may have two forms. */
export const SYMBOL = 32
/** A mark on the character before it. */
export const MARK = 64
/** A letter, or a mark on one, of a script without blanks between words. */
export const UNSPACED = 128
export const MONGOLIAN = 256
export const HAN = 512
/** A letter that is written from right to left. */
export const LEFTWARD = 1024
export const LETTER = 2048
const modifier = [MODIFIER, /[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/u] as const
/** Only visible characters are a reason to keep a hidden one beside them, so a hidden character gets no other kinds. */
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
 * The kinds of each character, by code point. The table is filled as characters occur: filling it at once would take a
 * third of a second, and searching a long text for the first hidden character with the pattern would block the event
 * loop for tens of milliseconds. The table is created when it is first needed: some processes see only plain text for
 * long, and its megabytes would let more data of each call survive young garbage collections.
 */
let kinds: Uint16Array | undefined

/** Whether a character, given as its code point, has one of these kinds. */
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

/** Whether a character, given as its code point, is invisible. */
export const isHidden = (code: number): boolean => is(code, HIDDEN)
