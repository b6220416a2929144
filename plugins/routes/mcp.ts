import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type Accepted, readAccept } from '../../src/protocol/accept.ts'
import { type Answer, answer, startsSession } from '../../src/protocol/dispatch.ts'
import { overCapacity, Refusal, sessionNotFound } from '../../src/protocol/refusal.ts'
import type { Exchange } from '../../src/protocol/service.ts'
import { assumedVersion, isLegacyVersion } from '../../src/protocol/versions.ts'
import { sameCredential } from '../../src/session/credential.ts'
import { type Session, SessionCapacityError } from '../../src/session/store.ts'

const header = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

/**
 * POST and DELETE /mcp: the session around a message, the choice between JSON and an event stream, and
 * nothing of MCP itself. It needs `request.caller`, so it cannot be registered outside the guarded scope.
 */
export default fp(
  async fastify => {
    const sessionOf = ({ caller, headers }: FastifyRequest): Session => {
      const { session, credential } = caller
      if (session !== undefined)
        return sameCredential(session.credential, credential) ? session : { ...session, credential }
      const version = header(headers['mcp-protocol-version'])
      return {
        credential,
        apiUrl: undefined,
        activated: 0,
        version: version !== undefined && isLegacyVersion(version) ? version : assumedVersion
      }
    }

    /** Room for a session is made before the call runs, so that a full server refuses before it acts. */
    const begin = (request: FastifyRequest, session: Session): string | undefined => {
      const starts = request.caller.sid === undefined ? startsSession(request.body) : undefined
      if (starts === undefined) return request.caller.sid
      try {
        return fastify.sessions.begin(session, starts === 'implicit')
      } catch (error) {
        throw error instanceof SessionCapacityError ? overCapacity(error.message) : error
      }
    }

    fastify.post('/mcp', async (request, reply) => {
      const accepted = readAccept(request.headers.accept)
      if (!accepted.json && !accepted.events)
        throw new Refusal(406, 'Accept must allow application/json or text/event-stream.')
      const session = sessionOf(request)
      const sid = begin(request, session)
      const exchange: Exchange = {
        session,
        view: fastify.baseView(),
        resumed: request.caller.session !== undefined,
        headers: {
          version: header(request.headers['mcp-protocol-version']),
          method: header(request.headers['mcp-method']),
          name: header(request.headers['mcp-name'])
        },
        signal: departure(reply),
        requestId: request.id,
        notifications: []
      }
      const result = await answer(request.body, exchange, fastify.mcp)
      if (result.era === 'legacy' && sid !== undefined)
        reply.header('mcp-session-id', fastify.sessions.carry(exchange.session, sid))
      return send(reply, result, exchange.notifications, accepted)
    })

    fastify.delete('/mcp', async (request, reply) => {
      const { sid, session, credential } = request.caller
      if (sid === undefined || session === undefined)
        throw new Refusal(400, 'DELETE needs the Mcp-Session-Id header.')
      // Knowing an id must not be enough to end a session that another credential opened.
      if (!sameCredential(credential, session.credential)) throw sessionNotFound()
      fastify.sessions.end(sid)
      return reply.code(204).send()
    })
  },
  {
    fastify: '5.x',
    name: 'mcp-routes',
    dependencies: ['bearer-guard', 'sessions', 'mcp-service', 'json-body', 'json-rpc-errors'],
    decorators: { request: ['caller'] }
  }
)

/** Aborts when the caller goes before its answer is whole. Fastify's own request.signal fires too early. */
function departure(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}

function send(
  reply: FastifyReply,
  { status, text }: Answer,
  notifications: readonly string[],
  accepted: Accepted
) {
  reply.code(status)
  if (text === undefined) return reply.send()
  if (!accepted.json || (accepted.streams && notifications.length > 0)) {
    const events = [...notifications, text].map(data => `event: message\ndata: ${data}\n\n`)
    return reply
      .header('content-type', 'text/event-stream')
      .header('cache-control', 'no-cache, no-transform')
      .header('x-accel-buffering', 'no')
      .send(events.join(''))
  }
  return reply.header('content-type', 'application/json; charset=utf-8').send(text)
}
