import type { LiveSession } from './store.ts'

/** The copy of a stored session that one request works with. */
export const copyOf = (session: LiveSession): LiveSession => ({ ...session, seen: { session } })

/**
 * The stored session with what a request has changed in its copy. What another request has changed meanwhile stays as
 * that one left it.
 */
export function withChanges(stored: LiveSession, { seen, ...copy }: LiveSession): LiveSession {
  if (seen === undefined) return stored
  const before = seen.session
  seen.session = copy
  const names = Object.keys(copy) as (keyof typeof copy)[]
  const changed = names.filter(name => copy[name] !== before[name] && stored[name] === before[name])
  // Toolsets are only ever added.
  const activated = stored.activated | copy.activated
  return { ...stored, ...Object.fromEntries(changed.map(name => [name, copy[name]])), activated }
}
