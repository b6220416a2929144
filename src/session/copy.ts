import { principalOf } from './credential.ts'
import type { LiveSession } from './store.ts'

/**
 * Returns the copy of a stored session that one request works with.
 * @param arrived the number of the request; later requests have larger numbers
 */
export const copyOf = (session: LiveSession, arrived: number): LiveSession => ({
  ...session,
  seen: { session, arrived }
})

/** Fields that a copy has, and the stored session has not. */
const ofCopy: ReadonlySet<string> = new Set(['seen', 'isGuests'])

/**
 * Merges the changes that a request has made in its copy into the stored session. Changes that another request has made
 * meanwhile are kept. But the credential comes from the request that arrived last, because earlier ones may have
 * expired. A guest changes nothing before the forge has served a call of the guest's.
 */
export function withChanges(stored: LiveSession, copy: LiveSession): LiveSession {
  const { seen, isGuests } = copy
  const isHolders = !isGuests || stored.servedTo === principalOf(copy.credential)
  if (!isHolders || seen === undefined) return stored
  const { session: before, arrived } = seen
  const names = Object.keys(copy) as (keyof LiveSession)[]
  const changed = names.filter(name => copy[name] !== before[name] && !ofCopy.has(name))
  // This is so after nearly every request.
  if (changed.length === 0) return stored
  seen.session = { ...copy }
  const isFree = (name: keyof LiveSession) =>
    name === 'credential' ? arrived >= (stored.renewed ?? 0) : stored[name] === before[name]
  const free = changed.filter(isFree)
  return {
    ...stored,
    ...Object.fromEntries(free.map(name => [name, copy[name]])),
    // Toolsets are never removed.
    activated: stored.activated | copy.activated,
    ...(free.includes('credential') && { renewed: arrived })
  }
}
