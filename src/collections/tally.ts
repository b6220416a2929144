/** Changes a count by name, and removes it when it becomes 0: so a map of counts has no more names than are in use. */
export function tally<Name>(counts: Map<Name, number>, name: Name, by: number): void {
  const count = (counts.get(name) ?? 0) + by
  if (count === 0) counts.delete(name)
  else counts.set(name, count)
}
