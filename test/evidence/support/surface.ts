/*
 * What someone knows of the forge's REST interface, whoever it is: operations by method and path, each with the
 * names it sends.
 */

export interface Known {
  names: Set<string>
  /** Values the source names for a field. */
  enums: Map<string, ReadonlySet<string>>
  /** Names of the answer's record. */
  answer: Set<string>
  /** How the source calls it. */
  called: string[]
}

export type Surface = ReadonlyMap<string, Known>

/** `GET /projects/{id}/issues` and `/api/v4/projects/:id/issues` are one. */
export const keyOf = (method: string, path: string): string =>
  `${method} /${path
    .replace(/^(?:\/?api\/v4)?\/?/, '')
    .replace(/\{[^}]*\}|(?<=\/):\w+|%\(\w+\)s/g, '{}')
    .replace(/\/$/, '')}`

/** `iids[]` and `iids` are one; of `not[labels]` the outer name is kept too. */
export const bareName = (name: string): string => name.replace(/\[\]$/, '')

/** Adds a source's operation to its surface, uniting what it says twice. */
export function learn(surface: Map<string, Known>, key: string, called: string): Known {
  let known = surface.get(key)
  if (known === undefined) {
    known = { names: new Set(), enums: new Map(), answer: new Set(), called: [] }
    surface.set(key, known)
  }
  known.called.push(called)
  return known
}

/** Finds the operation of a request on the wire: literal segments go before parameters. */
export function finder<T>(
  surface: ReadonlyMap<string, T>
): (method: string, path: string) => [string, T] | undefined {
  const patterns = [...surface]
    .map(([key, known]) => ({ key, known, segments: key.split(/[ /]+/) }))
    .sort((a, b) => holes(a.segments) - holes(b.segments))
  return (method, path) => {
    const wanted = [method, ...path.replace(/^\/?(?:api\/v4\/)?|\?.*$/g, '').split('/')]
    const found = patterns.find(
      ({ segments }) =>
        segments.length === wanted.length &&
        segments.every((segment, at) => (segment === '{}' ? wanted[at] !== '' : segment === wanted[at]))
    )
    return found && [found.key, found.known]
  }
}

const holes = (segments: readonly string[]) => segments.filter(segment => segment === '{}').length
