/**
 * Changes a count by name, of which those that are not 0 are kept: so a map of counts holds no more names than there
 * is something of.
 */
export function tally(counts: Map<string, number>, name: string, by: number): void {
  const count = (counts.get(name) ?? 0) + by
  if (count === 0) counts.delete(name)
  else counts.set(name, count)
}
