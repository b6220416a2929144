import fp from 'fastify-plugin'
import { asWritten } from '../../src/base/holders.ts'

/** What the line of a step of a login says besides whose request it was. */
export interface StepFacts {
  /** Where the login goes back to (destinationOf). */
  readonly to?: string | undefined
  /** Whether the person is asked first. */
  readonly ask?: boolean
  /** The code that the client is told of an error. */
  readonly error?: string | undefined
  /** The forge's own code, where that is another. */
  readonly reason?: string | undefined
  /** What the client is told of an error, in words of this service. */
  readonly hint?: string | undefined
  /** What tokens were given for: a code, or a refresh token. */
  readonly grant?: string | undefined
  /** Which login the token is of, and of which client, as in `Issued`. */
  readonly login?: string
  readonly client?: string | undefined
  /** Of the token that was given out; as in an AuditLine. */
  readonly principal?: string
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Leaves the line of a step of a login that was answered as it should be. */
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
      // Strangers can take every step but the one that the forge gives a token for, and must not use up its lines.
      if (facts.principal === undefined) others.add(step, 'login step', fields)
      else request.log.info(fields(), 'login step')
    })
  },
  { fastify: '5.x', name: 'oauth/steps', dependencies: ['operations/sampled-log'] }
)
