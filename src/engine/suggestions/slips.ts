import { distance } from 'fastest-levenshtein'
import { hasSameLetters, nearest } from '../../base/nearest.ts'

/** Shorter names are often those of different things, such as `ui` and `ux`. */
const SLIP_CHARS = 3
const MAX_SLIP_CHARS = 100

/**
 * The name that another one may be a typing error of: it has one letter more, less or changed, or the same letters in
 * another order. A different digit is no typing error: `P1` and `P2` are two things.
 */
export function slipOf(name: string, names: Iterable<string>): string | undefined {
  if (name.length < SLIP_CHARS || name.length > MAX_SLIP_CHARS) return undefined
  const near = nearest(name, names)
  if (near === undefined) return undefined
  const [wrong, right] = [name.toLowerCase(), near.toLowerCase()]
  const isSlip = distance(wrong, right) < 2 || hasSameLetters(wrong, right)
  return isSlip && digitsOf(wrong) === digitsOf(right) ? near : undefined
}
const digitsOf = (word: string): string => word.replace(/\D/g, '')
