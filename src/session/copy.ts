import { principalOf } from './credential.ts'
import type { LiveSession } from './store.ts'

/** The copy of a stored session that one request works with. @param arrived the number of the request, rising */
export const copyOf = (session: LiveSession, arrived: number): LiveSession => ({
  ...session,
  seen: { session, arrived }
})

/** What a copy has of its own. */
const ofCopy: ReadonlySet<string> = new Set(['seen', 'isGuests'])

/**
 * The stored session with what a request has changed in its copy. What another request has changed meanwhile stays as
 * that one left it; but the credential is of the request that arrived last, as earlier ones may have expired. A guest
 * changes nothing before the forge has served it.
 */
export function withChanges(stored: LiveSession, copy: LiveSession): LiveSession {
  const { seen, isGuests } = copy
  const isHolders = !isGuests || stored.servedTo === principalOf(copy.credential)
  if (!isHolders || seen === undefined) return stored
  const { session: before, arrived } = seen
  const names = Object.keys(copy) as (keyof LiveSession)[]
  const changed = names.filter(name => copy[name] !== before[name] && !ofCopy.has(name))
  // As after nearly every request.
  if (changed.length === 0) return stored
  seen.session = { ...copy }
  const isFree = (name: keyof LiveSession) =>
    name === 'credential' ? arrived >= (stored.renewed ?? 0) : stored[name] === before[name]
  const free = changed.filter(isFree)
  return {
    ...stored,
    ...Object.fromEntries(free.map(name => [name, copy[name]])),
    // Toolsets are only ever added.
    activated: stored.activated | copy.activated,
    ...(free.includes('credential') && { renewed: arrived })
  }
}
