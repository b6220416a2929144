import {
  EMOJI,
  HAN,
  is,
  JOINING,
  LEFTWARD,
  LETTER,
  MARK,
  MODIFIER,
  MONGOLIAN,
  SYMBOL,
  UNSPACED
} from './character-kinds.ts'

const ZWSP = 0x200b
const ZWNJ = 0x200c
const ZWJ = 0x200d
/** Marks that order the characters beside them from left to right, or from right to left. */
const LRM = 0x200e
const RLM = 0x200f
const ALM = 0x061c
const BLACK_FLAG = '\u{1f3f4}'
/**
 * The tag sequences that turn a black flag into another flag
 * (https://unicode.org/reports/tr51/#valid-emoji-tag-sequences).
 */
const flags = ['gbeng', 'gbsct', 'gbwls'].map(
  region =>
    `${[...region].map(letter => String.fromCodePoint(0xe0000 + letter.codePointAt(0)!)).join('')}\u{e007f}`
)

/** Most marks that are skipped in the search for their letter: no script has as many on one letter. */
const MAX_MARKS = 8
/**
 * Most characters between a direction mark and the letter it may be for, none of them a letter: as many as a date has,
 * or a number with its signs.
 */
const NEAR = 16

/** A sequence of characters that are no letters, and whether the letters at its ends are written from right to left. */
interface Gap {
  readonly start: number
  readonly end: number
  readonly isAfterLeftward: boolean
  readonly isBeforeLeftward: boolean
}

/**
 * Tells which hidden characters of a text are needed to display the characters around them correctly. Most are needed
 * only if they stand alone, so that a run of them carries no information. It must be asked in order, from the beginning
 * of the text to its end; the time is proportional to the length.
 */
export class Around {
  readonly #text: string
  /** The gap that was found last: each is searched only once. */
  #gap: Gap = { start: 0, end: 0, isAfterLeftward: false, isBeforeLeftward: false }

  constructor(text: string) {
    this.#text = text
  }

  /** @returns the length of the tags that turn the black flag before them into another flag; 0 for anything else */
  flagAt(start: number): number {
    if (!this.#text.startsWith(BLACK_FLAG, start - BLACK_FLAG.length)) return 0
    return flags.find(tags => this.#text.startsWith(tags, start))?.length ?? 0
  }

  /**
   * Whether the hidden character at an index is needed. @param start of its run of hidden characters @param end of that
   * run
   */
  needs(at: number, start: number, end: number): boolean {
    const text = this.#text
    // No other hidden character is beside it, except the CR of a line end.
    const isAlone = at === start && (at + 1 === end || (at + 2 === end && text.startsWith('\r\n', at + 1)))
    const code = text.codePointAt(at)!
    switch (code) {
      case 0x0d:
        // A CR before a newline is part of one line end, in a text that was written on Windows.
        return text[at + 1] === '\n'
      case ZWJ:
        return isBetweenEmoji(text, at) || (isAlone && isBesideJoining(text, at))
      case ZWNJ:
        return isAlone && isBesideJoining(text, at)
      case ZWSP:
        return isAfter(text, at, UNSPACED) && isAt(text, at + 1, UNSPACED)
      case LRM:
      case RLM:
      case ALM:
        return isAlone && this.#isNearLeftward(at)
      case 0xfe0e:
      case 0xfe0f:
        return isAfter(text, at, EMOJI | SYMBOL) || isInKeycap(text, at)
      // Variants of Mongolian letters, and the separator of a vowel.
      case 0x180b:
      case 0x180c:
      case 0x180d:
      case 0x180e:
      case 0x180f:
        return isAfter(text, at, MONGOLIAN)
      default:
        // Variants of ideographs, as in names of people and places. Of 240 possible variants, few ideographs have more
        // than 32.
        return code >= 0xe0100 && code <= 0xe011f && isAfter(text, at, HAN)
    }
  }

  #isNearLeftward(at: number): boolean {
    if (at >= this.#gap.end) this.#gap = gapAt(this.#text, at)
    const { start, end, isAfterLeftward, isBeforeLeftward } = this.#gap
    return (isAfterLeftward && at - start < NEAR) || (isBeforeLeftward && end - at <= NEAR)
  }
}

function gapAt(text: string, at: number): Gap {
  let [start, end] = [at, at + 1]
  while (start > 0 && !isAfter(text, start, LETTER)) start = startBefore(text, start)
  while (end < text.length && !isAt(text, end, LETTER)) end += text.codePointAt(end)! > 0xffff ? 2 : 1
  return {
    start,
    end,
    isAfterLeftward: isAfter(text, start, LEFTWARD),
    isBeforeLeftward: isAt(text, end, LEFTWARD)
  }
}

const isAt = (text: string, at: number, kind: number): boolean =>
  at >= 0 && at < text.length && is(text.codePointAt(at)!, kind)

/** The index of the character that ends before an index; negative at the beginning of a text. */
const startBefore = (text: string, end: number): number =>
  end > 1 && text.codePointAt(end - 2)! > 0xffff ? end - 2 : end - 1

const isAfter = (text: string, at: number, kind: number): boolean => isAt(text, startBefore(text, at), kind)

/**
 * Whether a letter of a joining script is on one side of a joiner. The letter may have marks, which all scripts share.
 */
function isBesideJoining(text: string, at: number): boolean {
  if (isAt(text, at + 1, JOINING)) return true
  let before = startBefore(text, at)
  for (let marks = 0; marks < MAX_MARKS && isAt(text, before, MARK) && !isAt(text, before, JOINING); marks++)
    before = startBefore(text, before)
  return isAt(text, before, JOINING)
}

function isBetweenEmoji(text: string, at: number): boolean {
  if (!isAt(text, at + 1, EMOJI)) return false
  const last = startBefore(text, at)
  return isAt(text, last, EMOJI) || (isAt(text, last, MODIFIER) && isAfter(text, last, EMOJI))
}

const isInKeycap = (text: string, at: number): boolean =>
  text[at + 1] === '\u20e3' && /[\d#*]/.test(text[at - 1] ?? '')
