import { placesOfHeader } from '../../base/sent-headers.ts'
import { Refusal } from '../messages/refusal.ts'

/**
 * Refuses a header of this service that occurs twice. Node joins both values into a list, so a header that a caller
 * adds to a gateway's could widen what the gateway allows.
 * @param rawHeaders alternating names and values, as they were sent
 * @param name in lower case
 * @throws Refusal 400
 */
export function refuseTwice(rawHeaders: readonly string[], name: string): void {
  const [first = 0, ...more] = placesOfHeader(rawHeaders, name)
  if (more.length === 0) return
  throw new Refusal(400, `${rawHeaders[first]} may be sent once only.`, {
    hint: `${name} was sent more than once.`
  })
}
