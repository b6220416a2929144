/**
 * Changes the count of a name, and removes it when it becomes 0. So a map of counts has only the names that are in use.
 */
export function tally<Name>(counts: Map<Name, number>, name: Name, by: number): void {
  const count = (counts.get(name) ?? 0) + by
  if (count === 0) counts.delete(name)
  else counts.set(name, count)
}
