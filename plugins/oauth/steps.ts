import fp from 'fastify-plugin'
import { asWritten } from '../../src/base/holders.ts'

/** What the log line of a login step says beside the sender of the request. */
interface StepFacts {
  /** Where the login returns to (destinationOf). */
  readonly to?: string | undefined
  /** Whether the person is asked for consent first. */
  readonly ask?: boolean
  /** The error code that the client gets. */
  readonly error?: string | undefined
  /** The forge's own error code, if it differs. */
  readonly reason?: string | undefined
  /** The description of the error that the client gets, in words of this service. */
  readonly hint?: string | undefined
  /** What the tokens were given for: a code, or a refresh token. */
  readonly grant?: string | undefined
  /** The login and the client that the token belongs to, as in `Issued`. */
  readonly login?: string
  readonly client?: string | undefined
  /** The principal of the token that was given out; as in an AuditLine. */
  readonly principal?: string
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Logs a step of a login that succeeded. */
    readonly loginStep: (request: FastifyRequest, facts?: StepFacts) => void
  }
}

/** Decorates the log of logins: who logged in, from where, to which application. */
export default fp(
  async fastify => {
    const others = fastify.sampledLog('info', { kind: 'step', more: 'more login steps' })
    fastify.decorate('loginStep', (request, facts = {}) => {
      const step = request.routeOptions.url!
      const fields = () => ({ requestId: request.id, address: asWritten(request.ip), step, ...facts })
      // Strangers can take every step except the one in which the forge gives a token. They must not use up the lines
      // of that step.
      if (facts.principal === undefined) others.add(step, 'login step', fields)
      else request.log.info(fields(), 'login step')
    })
  },
  { fastify: '5.x', name: 'oauth/steps', dependencies: ['operations/sampled-log'] }
)
