import t, { type Test } from 'tap'
import { withoutHidden } from '../../src/results/hidden.ts'

/* What is decided of each character of Unicode: whether it goes, and what of what is beside it stays. */

const ZWJ = '\u200d'
const ZWNJ = '\u200c'
const ZWSP = '\u200b'
/** Characters as far from a mark of direction as letters that it stays for may be. */
const NEAR = 16

const unseen =
  /[\p{Default_Ignorable_Code_Point}\p{Surrogate}\ufff9-\ufffb\u{13430}-\u{1343f}\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u
const scripts =
  'Arab Syrc Mand Mong Nkoo Adlm Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Java Bali'
const letter = new RegExp(`[${scripts.replace(/(\w+) ?/g, '\\p{Script=$1}')}]`, 'u')
/** Unicode keeps these places for what is written from right to left. */
const leftward = /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const emoji = /\p{Extended_Pictographic}/u
const emojiOrSkin = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u
const symbol = /\p{S}/u
const han = /\p{Unified_Ideograph}/u
const none = /(?!)/
const seen = (pattern: RegExp): RegExp => new RegExp(`(?!${unseen.source})(?:${pattern.source})`, 'u')

/** Those that stay for what is beside them. */
const sometimes = /\u061c|[\u180b-\u180f]|[\u200b-\u200f]|[\ufe0e\ufe0f]|[\u{e0100}-\u{e01ef}]/u
/** All others, and what is seen of each. */
const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(
  char => !sometimes.test(char)
)
const seenOf = (char: string): string => (unseen.test(char) ? '' : char)

/**
 * Those of which something may stay, or that are not seen; what is on both sides of each of them, where a range begins or
 * ends; and some of all others.
 */
const isTold = (char: string): boolean =>
  [unseen, letter, emojiOrSkin, symbol, leftward, han].some(which => which.test(char))
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
  { of = telling, between = ' ' }: { readonly of?: readonly string[]; readonly between?: string } = {}
) {
  const faults: string[] = []
  for (let start = 0; start < of.length; start += AT_ONCE) {
    const given = of.slice(start, start + AT_ONCE)
    for (const mark of marks) {
      const shown = given.map(char => at(seenOf(char), which.test(char) ? mark : '')).join(between)
      if (withoutHidden(given.map(char => at(char, mark)).join(between)) !== shown)
        faults.push(`one of ${AT_ONCE} from ${given[0]!.codePointAt(0)!.toString(16)}`)
    }
  }
  t.same(faults, [])
}

t.test('what nobody sees is left out, and nothing else', async t => {
  staysBeside(t, none, ZWJ, char => `a${char}b`, { of: characters })
})

t.test('a joiner stays beside a letter of a script that joins, or its marks, and nowhere else', async t => {
  staysBeside(t, seen(letter), ZWJ + ZWNJ, (char, mark) => `${char}${mark}a`)
  staysBeside(t, seen(letter), ZWJ + ZWNJ, (char, mark) => `3${mark}${char}`)
  const marked = seen(new RegExp(`\\p{M}|${letter.source}`, 'u'))
  staysBeside(t, marked, ZWJ + ZWNJ, (char, mark) => `\u0628\u0651${char}${mark}a`)
})

t.test(
  'a joiner stays between emoji, the first of any skin, and nowhere else but beside letters',
  async t => {
    const or = (which: RegExp): RegExp => new RegExp(`${which.source}|${seen(letter).source}`, 'u')
    staysBeside(t, or(emoji), ZWJ, (char, mark) => `${char}${mark}💻`)
    staysBeside(t, or(emojiOrSkin), ZWJ, (char, mark) => `👩${char}${mark}💻`)
    staysBeside(t, or(emoji), ZWJ, (char, mark) => `👩${mark}${char}`)
    staysBeside(t, seen(letter), ZWNJ, (char, mark) => `${char}${mark}💻 👩${mark}${char}`)
  }
)

t.test('a choice of form stays after an emoji or a symbol, or in a keycap, and nowhere else', async t => {
  staysBeside(
    t,
    /\p{Extended_Pictographic}|(?![ -~])\p{S}/u,
    '\ufe0e\ufe0f',
    (char, mark) => `${char}${mark}`
  )
  const keys = /[\p{Extended_Pictographic}\d#*]|(?![ -~])\p{S}/u
  staysBeside(t, keys, '\ufe0e\ufe0f', (char, mark) => `${char}${mark}\u20e3`)
})

t.test('a form of a letter stays after one of Mongolian, or an ideograph, and nowhere else', async t => {
  const mongolian = /(?=\p{L})\p{Script=Mong}/u
  staysBeside(t, mongolian, '\u180b\u180c\u180d\u180e\u180f', (char, mark) => `${char}${mark}`)
  for (const form of ['\u{e0100}', '\u{e011f}'])
    staysBeside(t, han, ' ', (char, mark) => `${char}${mark && form}`)
  staysBeside(t, none, ' ', (char, mark) => `${char}${mark && '\u{e0120}'}`)
})

t.test('where a word ends is told between letters of scripts without blanks, and nowhere else', async t => {
  const unspaced = seen(/(?=[\p{L}\p{M}])[\p{Script=Khmr}\p{Script=Thai}\p{Script=Laoo}\p{Script=Mymr}]/u)
  staysBeside(t, unspaced, ZWSP, (char, mark) => `${char}${mark}\u0e01`)
  staysBeside(t, unspaced, ZWSP, (char, mark) => `\u1780${mark}${char}`)
  staysBeside(t, none, ZWSP, (char, mark) => `${char}${mark}a`)
})

t.test('a mark of direction stays near a letter from right to left, and nowhere else', async t => {
  const far = '+'.repeat(NEAR)
  const isLeftward = telling.map(char => leftward.test(char))
  const of = telling.filter((_, at) => isLeftward[at - 1] !== isLeftward[at + 1] || at % 61 === 0)
  const sparsely = { of, between: `${far} ` }
  staysBeside(t, leftward, '\u200e\u200f\u061c', (char, mark) => `${char}+${mark}`, sparsely)
  staysBeside(t, leftward, '\u200e', (char, mark) => `${mark}+${char}`, sparsely)
  t.equal(withoutHidden(`\u05d0${far}\u200e${far}\u05d0`), `\u05d0${far}${far}\u05d0`)
  const date = '\u200e2024-01-15\u200e'
  t.equal(withoutHidden(`תאריך ${date}`), `תאריך ${date}`, 'around a date')
  t.equal(withoutHidden('שָׁ\u200f (a)\u200f א'), 'שָׁ\u200f (a)\u200f א', 'behind a letter with marks')
})

t.test('a letter from right to left is no reason for marks of direction between words of others', async t => {
  const words = 'a few words of a text, of which one is followed by such a letter'
  const marked = words.replaceAll(' ', ' \u200e').replaceAll('e', 'e\u200f')
  t.equal(withoutHidden(`${marked} \u05d0 ${marked}`), `${words} \u05d0 ${words}`)
})
