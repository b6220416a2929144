import { principalOf } from './credential.ts'
import type { LiveSession } from './store.ts'

/** The copy of a stored session that one request works with. @param arrived the number of the request, rising */
export const copyOf = (session: LiveSession, arrived: number): LiveSession => ({
  ...session,
  seen: { session, arrived }
})

/**
 * The stored session with what a request has changed in its copy. What another request has changed meanwhile stays as
 * that one left it; but the credential is of the request that arrived last, as earlier ones may have expired. A guest
 * changes nothing before the forge has served it.
 */
export function withChanges(stored: LiveSession, { seen, isGuests, ...copy }: LiveSession): LiveSession {
  const isHolders = !isGuests || stored.servedTo === principalOf(copy.credential)
  if (!isHolders || seen === undefined) return stored
  const { session: before, arrived } = seen
  seen.session = copy
  const isFree = (name: keyof typeof copy) =>
    name === 'credential' ? arrived >= (stored.renewed ?? 0) : stored[name] === before[name]
  const names = Object.keys(copy) as (keyof typeof copy)[]
  // Toolsets are only ever added.
  const activated = stored.activated | copy.activated
  const changed = names.filter(name => copy[name] !== before[name] && isFree(name))
  return {
    ...stored,
    ...Object.fromEntries(changed.map(name => [name, copy[name]])),
    activated,
    ...(changed.includes('credential') && { renewed: arrived })
  }
}
