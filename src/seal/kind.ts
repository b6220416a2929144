import type { TProperties } from 'typebox'
import type { Keyring, Purpose } from './keyring.ts'
import type { Random } from './random.ts'

/** One kind of value: its purpose, its content and its limits. */
export interface Kind<P extends Purpose, F extends TProperties> {
  readonly purpose: P
  /** The fields of its content, without `iat`. A value with any other field is not accepted. */
  readonly fields: F
  /** Longest value that is made or read, in characters. */
  readonly maxChars: number
  /** Age in seconds up to which a value is accepted. */
  readonly ttlSeconds: number
}

/** What all kinds of values of one service share. */
export interface Workshop {
  readonly keyring: Keyring
  /** Clock in milliseconds. */
  readonly now: () => number
  readonly random: Random
  /** What sealed values are valid for, as text (good-for.ts). A value does not open if this text has changed. */
  readonly goodFor: string
  /**
   * Called with the reason why a value was not accepted, never with the value itself, and with the request's id if it
   * is known.
   */
  readonly onRefused: (purpose: Purpose, reason: UnsealReason, requestId?: string) => void
  /** Called for each use of a value that was made with the previous secret. */
  readonly onPrevious: (purpose: Purpose) => void
}

/**
 * Why a value was not accepted. The last two reasons come from the code that opened the value. They are only for the
 * log: callers learn only that the value was not accepted.
 */
export type UnsealReason =
  | 'length'
  | 'prefix'
  | 'spelling'
  | 'key'
  | 'seal'
  | 'content'
  | 'time'
  | 'future'
  | 'forge'
  | 'ended'

/** Ends the checks of a value. It is not used outside this folder. */
export class Unacceptable extends Error {
  readonly reason: UnsealReason
  constructor(reason: UnsealReason) {
    super(reason)
    this.reason = reason
  }
}

/** Thrown if a value would be longer than its kind allows; nothing was made. */
export class OverlongValueError extends Error {
  constructor(purpose: Purpose, maxChars: number) {
    super(`A ${purpose} value would be longer than ${maxChars} characters.`)
    this.name = 'OverlongValueError'
  }
}

/** The prefix of every kind of value: version and purpose. */
export const prefixOf = (purpose: Purpose): string => `v1.${purpose}.`

/** Runs the checks of a value. Returns their result, or undefined, which is all that a caller ever learns. */
export function attempt<T>(
  purpose: Purpose,
  { onRefused }: Pick<Workshop, 'onRefused'>,
  check: () => T,
  requestId?: string
): T | undefined {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof Unacceptable)) throw error
    onRefused(purpose, error.reason, requestId)
    return undefined
  }
}

/**
 * Returns the value without its prefix. Nothing expensive is done for a value that fails here.
 * @throws Unacceptable
 */
export function bodyOf(value: unknown, prefix: string, maxChars: number): string {
  if (typeof value !== 'string' || value.length > maxChars) throw new Unacceptable('length')
  if (!value.startsWith(prefix)) throw new Unacceptable('prefix')
  return value.slice(prefix.length)
}

/** Decodes base64url, only in its canonical form. @throws Unacceptable */
export function fromBase64url(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  // Node also accepts padding, the other alphabet, foreign characters and nonzero unused bits.
  if (bytes.toString('base64url') !== text) throw new Unacceptable('spelling')
  return bytes
}
