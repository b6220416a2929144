import { MIB } from '../../base/units.ts'
import { code } from './jsonrpc.ts'
import { MAX_NAMES, messageShape } from './message-text.ts'
import { Refusal } from './refusal.ts'

/* Refusals of bodies, for their content or for the way in which they arrive. */

/** A body that arrives too slowly. */
export const slowBody = () =>
  new Refusal(408, 'The body came too slowly: send at least 8 KiB a second.', {
    headers: { connection: 'close' },
    reason: 'slow'
  })

/** A body whose sender has gone. Nobody reads this answer, but the event is no error of the service. */
export const callerGone = () => new Refusal(499, 'The caller has gone.')

/** The refusal of a body, with a message that is also logged. */
const refusedBody = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  new Refusal(status, message, { code: code.invalidRequest, headers, hint: message })

/** A body in so many small pieces that the pieces cost more than its bytes. */
export const crumbledBody = () =>
  refusedBody(413, 'The body came in too many small pieces: send it in larger ones.', { connection: 'close' })

/** Largest body, or line over stdio, in bytes. */
export const maxBodyBytes = 4 * MIB

/** For a body over any transport. */
export const oversizedBody = () =>
  refusedBody(413, `The message is larger than ${maxBodyBytes / MIB} MiB: send less at once.`)

/** For a compressed body, whose content could have any size. */
export const encodedBody = () =>
  refusedBody(415, 'Content-Encoding is not supported: send the body as it is.', {
    'accept-encoding': 'identity'
  })

/** For a body that could not be read within its limits of time or memory. */
export const tooCostly = () => refusedBody(413, 'The message is too expensive to parse: send a smaller one.')

/* For a body that is not JSON, and for one that is too complex to process. */
export const unparsable = (why: string) => new Refusal(400, `Parse error: ${why}`, { code: code.parse })
export const misshapen = (fault: 'deep' | 'wide' | 'names') =>
  fault === 'deep'
    ? unparsable(`the body is nested deeper than ${messageShape.depth} levels.`)
    : tooMuch(
        fault === 'wide'
          ? `${messageShape.values} values, or too many fields whose names are numbers`
          : `${MAX_NAMES} different names of fields`
      )

const tooMuch = (what: string) => refusedBody(413, `The body has more than ${what}.`)
