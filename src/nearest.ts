import { distance } from 'fastest-levenshtein'

/** The name that a wrong one was most likely meant to be; undefined where none is near. */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  const wrong = name.slice(0, 100).toLowerCase()
  let best: string | undefined
  let least = Math.max(2, Math.floor(wrong.length / 3)) + 1
  for (const candidate of names) {
    const steps = distance(wrong, candidate.toLowerCase())
    if (steps < least) [best, least] = [candidate, steps]
  }
  return best
}
