import { type Language, languages, type Role } from './elision-languages.ts'

/* What the words of a line say in languages other than English, of those that lines that stand for others are made of. */

/** Takes off what texts are written with or without: accents, the dot of the Turkish i, capitals. */
const folded = (text: string): string =>
  text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ı', 'i')

/** Words by what they begin with, so that a line is read once, whatever it repeats. */
interface Branch {
  readonly next: Map<string, Branch>
  readonly roles: Set<Role>
}
const branch = (): Branch => ({ next: new Map(), roles: new Set() })

/** The words of a language; its units are words, or characters where it has no spaces between words. */
interface Lexicon {
  readonly isUnspaced: boolean
  readonly root: Branch
}

function* wordsOf({ isUnspaced, ...written }: Language): Generator<readonly [word: string, role: Role]> {
  for (const [role, words] of Object.entries(written) as [Role, string][])
    for (const word of words.split(' ')) {
      const [stem = '', endings = ''] = word.split('-:')
      for (const ending of endings.split(',')) yield [(stem + ending).replaceAll('_', ' '), role]
    }
}

function lexiconOf(language: Language): Lexicon {
  const isUnspaced = language.isUnspaced === true
  const root = branch()
  for (const [word, role] of wordsOf(language)) {
    let at = root
    for (const unit of folded(word).split(isUnspaced ? '' : ' ')) {
      if (!at.next.has(unit)) at.next.set(unit, branch())
      at = at.next.get(unit)!
    }
    at.roles.add(role)
  }
  return { isUnspaced, root }
}

/** Made with the first text that is to be stored: a process may see none. */
let made: readonly Lexicon[] | undefined
const lexicons = (): readonly Lexicon[] => (made ??= languages.map(lexiconOf))

/** What such a line begins with: a word, or a character of one where words have no spaces between them. */
const beginningsOf = (): ReadonlySet<string> =>
  new Set(
    languages.flatMap(language =>
      [...wordsOf(language)].flatMap(([word]) => {
        const first = language.isUnspaced === true ? word.charAt(0) : word.split(' ')[0]!
        return [first, folded(first)]
      })
    )
  )
let beginnings: ReadonlySet<string> | undefined
const firstWord =
  /^[^\p{L}\n]{0,40}(?:([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])|([\p{L}\p{M}]{1,20}))/u

/** Whether the first word of a line is one of them, so that the line is worth taking apart. */
export function mayBeElsewhere(line: string): boolean {
  const [, character, word = ''] = firstWord.exec(line) ?? []
  beginnings ??= beginningsOf()
  return beginnings.has(character ?? word.toLowerCase())
}

/** The roles of the longest words of a language that a line is made of, in order; undefined if it has others. */
function rolesIn(units: readonly string[], root: Branch): readonly ReadonlySet<Role>[] | undefined {
  const found: ReadonlySet<Role>[] = []
  for (let from = 0; from < units.length; ) {
    let [roles, end]: [ReadonlySet<Role> | undefined, number] = [undefined, from]
    for (let at = root.next.get(units[from]!), to = from + 1; at !== undefined; to++) {
      if (at.roles.size > 0) [roles, end] = [at.roles, to]
      at = to < units.length ? at.next.get(units[to]!) : undefined
    }
    if (roles === undefined) return undefined
    if (!roles.has('fill')) found.push(roles)
    from = end
  }
  return found
}

/**
 * What the words of a line say, in each language that has them all.
 * @param words all of the line
 * @returns of each such language the roles of its words, one after another, without those that only join others
 */
export function saidElsewhere(words: readonly string[]): readonly (readonly ReadonlySet<Role>[])[] {
  const said = folded(words.join(' '))
  const spaced = said.split(' ')
  const unspaced = [...said.replaceAll(' ', '')]
  return lexicons()
    .map(({ isUnspaced, root }) => rolesIn(isUnspaced ? unspaced : spaced, root))
    .filter(roles => roles !== undefined)
    .filter(roles => roles.length > 0)
}
