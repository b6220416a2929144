/** Mutations that make something are called so: createNote, workItemCreate. */
const makes = /^create[A-Z]|[a-z]Create$/

/**
 * The record that a mutation has made, as the forge gives it: GraphQL answers 200 whatever was done.
 * @returns undefined where it changed something, or made nothing
 */
export function madeBy(data: Readonly<Record<string, unknown>>): unknown {
  for (const [name, payload] of Object.entries(data))
    if (makes.test(name) && typeof payload === 'object')
      return Object.values(payload ?? {}).find(
        value => typeof value === 'object' && value !== null && 'id' in value
      )
  return undefined
}
