import { cutBeforeCredentials } from './url-credentials.ts'

/*
 * Texts that are longer than there is room for. None ends with half a character, nor with the beginning of credentials: what is
 * cut is cleaned later, when nothing shows any more that they were some.
 */

/** The first characters of a text, without half of one at the end, or a part of credentials in a URL. */
export const startOf = (text: string, length: number): string =>
  text.slice(0, cutBeforeCredentials(text, isFirstHalf(text.charCodeAt(length - 1)) ? length - 1 : length))

/** Of a character that takes two (UTF-16). */
const isFirstHalf = (code: number): boolean => code >= 0xd800 && code < 0xdc00

/** As much of a text as there is room for, in characters, with a mark where that is not all. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${startOf(text, most)}…` : text

/**
 * The same, with how much is left out: for what is read, and may be asked for whole. Of long lines in the second half
 * none is cut within: half a line of code or of a note reads as a whole one.
 */
export function withRest(text: string, most: number): string {
  if (text.length <= most) return text
  const within = startOf(text, most)
  const lines = within.lastIndexOf('\n') + 1
  const start = lines > most / 2 ? within.slice(0, lines) : within
  return `${start}… [${text.length - start.length} more]`
}

/** That mark, where a line ends with it, as it does only in a text that was cut; models write its sign as three dots, too. */
const cutMark = /(?:…|\.{3}) \[[1-9]\d{0,8} more\]$/m

/** The first such mark in a text that was shown in part; undefined if there is none. */
export const cutMarkIn = (text: string): string | undefined =>
  / more\]$/m.test(text) ? cutMark.exec(text)?.[0] : undefined
