/** Fields by which a record is found again, or by which it is told what became of it. */
const naming = new Set(['id', 'iid', 'sha', 'state'])

/**
 * Holds what a tool shows of an answer against the answer.
 * @returns how many of the names of records are there, and the places of those that are not
 */
export function differing(answer: unknown, shown: unknown): { kept: number; lost: string[] } {
  const there = new Set([...named(shown)].map(([, what]) => what))
  const wanted = [...named(answer)]
  const lost = wanted.filter(([, what]) => !there.has(what)).map(([place]) => place)
  return { kept: wanted.length - lost.length, lost: [...new Set(lost)] }
}

export function* named(value: unknown, place = ''): Generator<[string, string]> {
  if (Array.isArray(value)) for (const item of value) yield* named(item, place)
  else if (typeof value === 'object' && value !== null)
    for (const [key, child] of Object.entries(value)) {
      // Whether a person may log in is no state of what the person wrote.
      const isPersons = key === 'state' && 'username' in value
      if (naming.has(key) && child !== null && typeof child !== 'object') {
        if (!isPersons) yield [`${place}.${key}`, `${key}=${child}`]
      } else yield* named(child, `${place}.${key}`)
    }
}
