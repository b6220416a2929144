import type { Role } from './elision-languages.ts'
import { saidElsewhere } from './elision-lexicon.ts'
import type { Peeled } from './elision-line.ts'

/*
 * Lines that stand for others in languages other than English: the rules of elision-words.ts, by what its words are
 * instead of by phrases, as each language has an order of its own.
 */

/** What a line says of what stays. */
interface Said {
  readonly has: (role: Role) => boolean
  /** That the rest does, of whatever it is. */
  readonly restStays: boolean
  /** That the rest of a whole does, or the rest by itself. */
  readonly wholeStays: boolean
}

function saidBy(roles: readonly ReadonlySet<Role>[]): Said {
  const has = (role: Role): boolean => roles.some(of => of.has(role))
  const state = roles.findLastIndex(of => of.has('unchanged') || of.has('same'))
  const isBeforeState = (role: Role): boolean => roles.slice(0, Math.max(state, 0)).some(of => of.has(role))
  const isNoun = roles[0]!.has('rest')
  return {
    has,
    restStays: (isNoun && state > 0) || isBeforeState('other'),
    wholeStays: !has('part') && ((isNoun && state > 0) || (isBeforeState('other') && has('whole')))
  }
}

const isDotted = ({ has, restStays }: Said): boolean => {
  const names = has('whole') || has('part')
  const isOfSomething = has('existing') || has('rest') || has('other') || has('unchanged')
  return restStays || (names && isOfSomething) || (has('unchanged') && !has('existing'))
}

function isBracketed({ bracket, isMarkdown }: Peeled, { has, restStays, wholeStays }: Said): boolean {
  if (bracket !== '[' && bracket !== '<') return wholeStays
  if (restStays || (has('rest') && has('whole'))) return true
  return isMarkdown && (has('whole') || has('part')) && (has('existing') || has('unchanged'))
}

/** Without dots or brackets, which people also comment on code with. */
function isCommented({ comment, isMarkdown }: Peeled, { has, wholeStays }: Said, isAlone: boolean): boolean {
  if (wholeStays && (has('unchanged') || has('whole'))) return true
  return comment === '<!--' && (isMarkdown || isAlone) && (wholeStays || (has('existing') && has('whole')))
}

function stands(line: Peeled, said: Said, isAlone: boolean): boolean {
  const { comment, dots, bracket } = line
  const { has } = said
  if (dots.both && isDotted(said)) return true
  if (bracket !== undefined && isBracketed(line, said)) return true
  if (comment !== undefined && isCommented(line, said, isAlone)) return true
  return dots.any && (said.wholeStays || (has('whole') && (has('existing') || has('rest'))))
}

/**
 * Whether a line stands for others in a language other than English.
 * @param isAlone whether nothing follows it at once
 */
export const standsElsewhere = (line: Peeled, isAlone: boolean): boolean =>
  (line.dots.any || line.bracket !== undefined || line.comment !== undefined) &&
  saidElsewhere(line.words).some(roles => stands(line, saidBy(roles), isAlone))

/** Whether words say of all that is there that it is as it was, or left out. */
export const isUnchangedElsewhere = (words: readonly string[]): boolean =>
  saidElsewhere(words).some(roles => roles.every(of => of.has('unchanged')))
