import { unseen } from '../base/unseen.ts'

/*
 * Which characters of a text nobody sees, and which of them stay all the same, because others would look different
 * without them.
 */

/** Hieroglyphs without the controls of their layout are still read. */
const hidden = new RegExp(String.raw`[${unseen}\p{Surrogate}\u0000-\u0008\u000b-\u001f]`, 'u')
/** Plain ASCII, which most text is, is passed over at once. */
const notPlain = /[^\t\n -~]/

/** Scripts in which joiners change the form of letters. */
const joining =
  'Arab Syrc Mand Mong Nkoo Adlm Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Java Bali'
const letter = new RegExp(`[${joining.replace(/\w+ ?/g, script => `\\p{Script=${script.trim()}}`)}]`, 'u')
const emoji = /\p{Extended_Pictographic}/u
/** What may follow an emoji and belongs to it. */
const modifier = /[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/u

/** What a character is, which may be several of these. */
const KNOWN = 1
const HIDDEN = 2
const LETTER = 4
const EMOJI = 8
const MODIFIER = 16
const looks = [
  [HIDDEN, hidden],
  [LETTER, letter],
  [EMOJI, emoji],
  [MODIFIER, modifier]
] as const

/**
 * What is known of each character, by code point. It fills as they occur: to look all of them up takes a third of a second,
 * and to look for the first hidden one in a long text with the pattern would hold the event loop for tens of milliseconds.
 * Some processes see nothing but plain text for long, and its megabyte has more of each call outlive young collections.
 */
let kinds: Uint8Array | undefined

const is = (code: number, kind: number): boolean => ((kinds?.[code] || kindOf(code)) & kind) !== 0

function kindOf(code: number): number {
  kinds ??= new Uint8Array(0x110000)
  const char = String.fromCodePoint(code)
  let kind = KNOWN
  for (const [one, look] of looks) if (look.test(char)) kind |= one
  kinds[code] = kind
  return kind
}

/** Whether nobody sees a character, given as its code point. */
export const isHidden = (code: number): boolean => is(code, HIDDEN)

/** In a run of more hidden characters only those at the ends can be needed, next to the character that they affect. */
const MAX_RUN = 4
const AT_END = 2

/** A text without its hidden characters, but for those that others in it need. */
export function withoutHidden(text: string): string {
  const notAscii = text.search(notPlain)
  let end = notAscii < 0 ? text.length : endOfRun(text, notAscii, false)
  if (end === text.length) return text
  const shown = new Stretches(text)
  for (let start = end; start < text.length; start = endOfRun(text, end, false)) {
    end = endOfRun(text, start, true)
    const isLong = end - start > MAX_RUN
    for (let at = start; at < end; at++) {
      if (isLong && at === start + AT_END) {
        shown.leaveOut(at, end - AT_END)
        at = end - AT_END
      }
      if (!isNeeded(text, at)) shown.leaveOut(at, at + 1)
    }
  }
  return shown.toString()
}

/** Stretches that are copied by their characters: a hundred thousand strings of one are slow to put together. */
const SHORT = 64
/** Characters that are made a string at once. */
const AT_ONCE = 4096

/** What is left of a text from which parts are taken, the first first. */
class Stretches {
  readonly #text: string
  readonly #short: Uint16Array
  #shorts = 0
  #left = ''
  #from = 0

  constructor(text: string) {
    this.#text = text
    this.#short = new Uint16Array(Math.min(text.length, AT_ONCE))
  }

  leaveOut(start: number, end: number): void {
    this.#keepTo(start)
    this.#from = end
  }

  toString(): string {
    this.#keepTo(this.#text.length)
    this.#join()
    return this.#left
  }

  #keepTo(end: number): void {
    if (this.#shorts > AT_ONCE - SHORT) this.#join()
    if (end - this.#from > SHORT) {
      this.#join()
      this.#left += this.#text.slice(this.#from, end)
    } else for (let at = this.#from; at < end; at++) this.#short[this.#shorts++] = this.#text.charCodeAt(at)
  }

  #join(): void {
    this.#left += Reflect.apply(String.fromCharCode, null, this.#short.subarray(0, this.#shorts))
    this.#shorts = 0
  }
}

/** Where a run of hidden characters ends, or of others, that begins at an index; it may be empty. */
function endOfRun(text: string, start: number, areHidden: boolean): number {
  for (let at = start; at < text.length; ) {
    const code = text.codePointAt(at)!
    if (isHidden(code) !== areHidden) return at
    at += code > 0xffff ? 2 : 1
  }
  return text.length
}

const ZWNJ = 0x200c
const ZWJ = 0x200d

/** Whether a hidden character is needed to display its neighbours correctly: one joiner, or one variation selector. */
function isNeeded(text: string, at: number): boolean {
  switch (text.charCodeAt(at)) {
    case ZWJ:
      return isBetweenLetters(text, at) || isBetweenEmoji(text, at)
    case ZWNJ:
      return isBetweenLetters(text, at)
    case 0x0d:
      // Together with the newline it is one line end, in a text that was written on Windows.
      return text[at + 1] === '\n'
    case 0xfe0e:
    case 0xfe0f:
      return isAt(text, startBefore(text, at), EMOJI) || isInKeycap(text, at)
    default:
      return false
  }
}

const isAt = (text: string, at: number, kind: number): boolean =>
  at >= 0 && at < text.length && is(text.codePointAt(at)!, kind)

/** Where the character begins that ends before an index; less than nothing at the beginning of a text. */
function startBefore(text: string, end: number): number {
  const low = text.charCodeAt(end - 1)
  return low >= 0xdc00 && low <= 0xdfff && end > 1 ? end - 2 : end - 1
}

const isBetweenLetters = (text: string, at: number): boolean =>
  isAt(text, at + 1, LETTER) && isAt(text, startBefore(text, at), LETTER)

function isBetweenEmoji(text: string, at: number): boolean {
  if (!isAt(text, at + 1, EMOJI)) return false
  const last = startBefore(text, at)
  return isAt(text, last, EMOJI) || (isAt(text, last, MODIFIER) && isAt(text, startBefore(text, last), EMOJI))
}

const isInKeycap = (text: string, at: number): boolean =>
  text[at + 1] === '\u20e3' && /[\d#*]/.test(text[at - 1] ?? '')
