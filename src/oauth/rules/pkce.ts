import { hash, timingSafeEqual } from 'node:crypto'
import type { Random } from '../../seal/random.ts'

/** SHA-256 as base64url, 43 characters: for PKCE challenges, and in place of values that are not kept themselves. */
export const digest = (text: string): string => hash('sha256', text, 'base64url')

/** Whether a text is a code_challenge of method S256 (RFC 7636 section 4.2). */
export const isChallenge = (text: string): boolean =>
  /^[\w-]{43}$/.test(text) && Buffer.from(text, 'base64url').toString('base64url') === text

/** Whether a text is a code_verifier (RFC 7636 section 4.1). */
export const isVerifier = (text: string): boolean => /^[\w.~-]{43,128}$/.test(text)

/** Whether a code_verifier is well-formed and matches the challenge. */
export const verifierFits = (verifier: string, challenge: string): boolean =>
  isVerifier(verifier) && sameText(digest(verifier), challenge)

/** A new verifier for this service's own login at the forge. */
export const newVerifier = (random: Random): string => random(32).toString('base64url')

/** Compares two texts in constant time, so that the time does not show how much of them matches. */
export function sameText(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
