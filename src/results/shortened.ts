import { cutBeforeCredentials } from './url-credentials.ts'

/*
 * Shortens texts that are too long. No result ends with half of a surrogate pair, or with the beginning of credentials:
 * the text is cleaned after the cut, when nothing identifies them as credentials any more.
 */

/** The first characters of a text, without half of a surrogate pair or a part of credentials in a URL at the end. */
export const startOf = (text: string, length: number): string =>
  text.slice(0, cutBeforeCredentials(text, isFirstHalf(text.charCodeAt(length - 1)) ? length - 1 : length))

/** Whether a code unit is the first half of a surrogate pair (UTF-16). */
const isFirstHalf = (code: number): boolean => code >= 0xd800 && code < 0xdc00

/** A text cut to a number of characters, with a mark if it is longer. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${startOf(text, most)}…` : text

/**
 * The same, with the number of characters that are left out, for texts that may be requested whole. If the second half
 * has a line end, the text is cut there: half a line of code or of a note reads like a whole one.
 */
export function withRest(text: string, most: number): string {
  if (text.length <= most) return text
  const within = startOf(text, most)
  const lines = within.lastIndexOf('\n') + 1
  const start = lines > most / 2 ? within.slice(0, lines) : within
  return `${start}… [${text.length - start.length} more]`
}

/**
 * That mark at the end of a line, where it occurs only in a text that was cut. Models also write its sign as three
 * dots.
 */
const cutMark = /(?:…|\.{3}) \[[1-9]\d{0,8} more\]$/m

/** The first such mark in a text that was shown in part; undefined if there is none. */
export const cutMarkIn = (text: string): string | undefined =>
  / more\]$/m.test(text) ? cutMark.exec(text)?.[0] : undefined

/** Most characters of a text in a Set or Map: no name of a forge has as many, and hardly any path. */
const MAX_KEY_CHARS = 1_024

/**
 * A forge's text as it may stand in a Set or Map, cut. V8 computes no hash for a text of more than 16,383 characters: the
 * length is taken for it, so that 600 of one length are compared each with each, for 300 ms.
 */
export const asKey = (text: string): string =>
  text.length > MAX_KEY_CHARS ? text.slice(0, MAX_KEY_CHARS) : text
