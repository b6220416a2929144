import t, { type Test } from 'tap'
import { withoutHidden } from '../../src/results/hidden.ts'

/* What is decided of each character of Unicode: whether it goes, and what of what is beside it stays. */

const ZWJ = '\u200d'
const ZWNJ = '\u200c'

const unseen =
  /[\p{Default_Ignorable_Code_Point}\p{Surrogate}\ufff9-\ufffb\u{13430}-\u{1343f}\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u
const scripts =
  'Arab Syrc Mand Mong Nkoo Adlm Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Java Bali'
const letter = new RegExp(`[${scripts.replace(/(\w+) ?/g, '\\p{Script=$1}')}]`, 'u')
const emoji = /\p{Extended_Pictographic}/u
const emojiOrSkin = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u
const none = /(?!)/

/** All but the four that stay for what is beside them, and what is seen of each. */
const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(
  char => !'\u200c\u200d\ufe0e\ufe0f'.includes(char)
)
const seenOf = (char: string): string => (unseen.test(char) ? '' : char)

/**
 * Those of which something may stay, or that are not seen; what is on both sides of each of them, where a range begins or
 * ends; and some of all others.
 */
const isTold = (char: string): boolean => [unseen, letter, emojiOrSkin].some(which => which.test(char))
const told = characters.map(isTold)
const telling = characters.filter(
  (_, at) => told[at - 1] || told[at] || told[at + 1] || at < 1024 || at % 61 === 0
)

const AT_ONCE = 1024

/** Asserts that marks stay at their places beside exactly those characters. */
function staysBeside(
  t: Test,
  which: RegExp,
  marks: string,
  at: (char: string, mark: string) => string,
  of = telling
) {
  const faults: string[] = []
  for (let start = 0; start < of.length; start += AT_ONCE) {
    const given = of.slice(start, start + AT_ONCE)
    for (const mark of marks) {
      const shown = given.map(char => at(seenOf(char), which.test(char) ? mark : '')).join(' ')
      if (withoutHidden(given.map(char => at(char, mark)).join(' ')) !== shown)
        faults.push(`one of ${AT_ONCE} from ${given[0]!.codePointAt(0)!.toString(16)}`)
    }
  }
  t.same(faults, [])
}

t.test('what nobody sees is left out, and nothing else', async t => {
  staysBeside(t, none, ZWJ, char => `a${char}b`, characters)
})

t.test('a joiner stays between letters of scripts that join, and nowhere else', async t => {
  staysBeside(t, letter, ZWJ + ZWNJ, (char, mark) => `${char}${mark}\u0628`)
  staysBeside(t, letter, ZWJ + ZWNJ, (char, mark) => `\u0628${mark}${char}`)
})

t.test('a joiner stays between emoji, the first of any skin, and nowhere else', async t => {
  staysBeside(t, emoji, ZWJ, (char, mark) => `${char}${mark}💻`)
  staysBeside(t, emojiOrSkin, ZWJ, (char, mark) => `👩${char}${mark}💻`)
  staysBeside(t, emoji, ZWJ, (char, mark) => `👩${mark}${char}`)
  staysBeside(t, none, ZWNJ, (char, mark) => `${char}${mark}💻 👩${mark}${char}`)
})

t.test('a choice of form stays after an emoji, or in a keycap, and nowhere else', async t => {
  staysBeside(t, emoji, '\ufe0e\ufe0f', (char, mark) => `${char}${mark}`)
  staysBeside(t, /[\p{Extended_Pictographic}\d#*]/u, '\ufe0e\ufe0f', (char, mark) => `${char}${mark}\u20e3`)
})
