import { type Exchange, viewOf } from '../../exchange/exchange.ts'
import { cancellable } from '../../exchange/in-flight.ts'
import type { Service } from '../../exchange/service.ts'
import { code, type JsonRpcRequest } from '../../messages/jsonrpc.ts'
import { allVersions } from '../../messages/versions.ts'
import { complete } from '../../methods/completion.ts'
import { checkCursor } from '../../methods/cursor.ts'
import { askedPrompt, listPrompts } from '../../methods/prompts.ts'
import { listResources, listTemplates, readResource } from '../../methods/resources.ts'
import { timedMethods } from '../../methods/timed.ts'
import { callTool } from '../../methods/tools.ts'
import { modernAsker } from './asker.ts'
import type { Envelope } from './envelope.ts'
import { checkCompletedProject, checkMirrors, checkReadProject } from './headers.ts'
import { serveSubscription } from './listen.ts'

/**
 * A method of 2026-07-28. It returns the fields of its result as JSON, without the braces, or the `_meta` of a result
 * without fields.
 * @throws ProtocolError
 */
type Method = (
  request: JsonRpcRequest,
  exchange: Exchange,
  service: Service,
  envelope: Envelope
) => string | Promise<string | Meta>

type Meta = Readonly<Record<string, unknown>>

/** Lists rarely change while a replica runs, but they differ by caller. So they are private, and valid for a minute. */
const cacheHints = '"ttlMs":60000,"cacheScope":"private"'

const supported = `"supportedVersions":${JSON.stringify(allVersions)}`

/** The content of a resource may change at any time without notification. */
const staleAtOnce = '"ttlMs":0,"cacheScope":"private"'

const read = readResource(code.invalidParams)

export const modernMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ...timedMethods({
    'server/discover': (_request, _exchange, { offer }) => `${supported},${offer},${cacheHints}`,
    'tools/list': ({ params }, exchange, { catalog }) => {
      checkCursor(params)
      return `"tools":${catalog.list(viewOf(exchange), true)},${cacheHints}`
    },
    'prompts/list': (...asked) => `${listPrompts(...asked)},${cacheHints}`,
    'resources/list': (...asked) => `${listResources(...asked)},${cacheHints}`,
    'resources/templates/list': (...asked) => `${listTemplates(...asked)},${cacheHints}`
  }),
  [
    'subscriptions/listen',
    cancellable((request, exchange, service, envelope: Envelope) =>
      serveSubscription(request, ofCall(exchange, envelope), service)
    )
  ],
  [
    'prompts/get',
    cancellable((request, exchange, service, { capabilities }: Envelope) =>
      askedPrompt(request, exchange, service, modernAsker(request, capabilities, service))
    )
  ],
  [
    'completion/complete',
    cancellable((request, exchange, service) => {
      checkCompletedProject(request, exchange)
      return complete(request, exchange, service)
    })
  ],
  [
    'resources/read',
    cancellable(async (request, exchange, service, envelope: Envelope) => {
      checkReadProject(request, exchange, service)
      return `${await read(request, ofCall(exchange, envelope), service)},${staleAtOnce}`
    })
  ],
  [
    'tools/call',
    cancellable(async (request, exchange, service, envelope: Envelope) => {
      checkMirrors(request, exchange, service)
      const asker = modernAsker(request, envelope.capabilities, service)
      return (await callTool(request, ofCall(exchange, envelope), service, asker)).slice(1, -1)
    })
  ]
])

/** The exchange of a call, with the client's capabilities and log level from the request. */
const ofCall = (exchange: Exchange, { capabilities, logLevel, version }: Envelope): Exchange => ({
  ...exchange,
  session: { ...exchange.session, version, capabilities, ...(logLevel !== undefined && { logLevel }) }
})
