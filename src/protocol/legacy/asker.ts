import { hasCapability } from '../../session/client.ts'
import type { Asker } from '../asker.ts'
import type { Exchange, Service } from '../service.ts'

/** The first revision in which a client can be asked for a form. */
const asksFrom = '2025-06-18'

/** Questions of the initialize era: requests on the stream of the call, which waits. Batches are of older revisions. */
export function legacyAsker(
  { notify, session, sessionKey, signal, streams }: Exchange,
  { questions }: Service
): Asker {
  const isReached = streams && sessionKey !== undefined && session.version >= asksFrom
  return {
    can: capability => isReached && hasCapability(session.capabilities, capability),
    ask: (asked, { caller }) => questions.put(asked, { caller, sessionKey: sessionKey!, notify, signal })
  }
}
