import { isRecord } from '../../../results/is-record.ts'
import { isLogLevel, logLevels, readCapabilities } from '../../../session/client.ts'
import { type Exchange, viewOf } from '../../exchange/exchange.ts'
import { cancellable } from '../../exchange/in-flight.ts'
import type { Service } from '../../exchange/service.ts'
import { code, type JsonRpcRequest, plainError } from '../../messages/jsonrpc.ts'
import { isLegacyVersion, latestLegacy } from '../../messages/versions.ts'
import { complete } from '../../methods/completion.ts'
import { checkCursor } from '../../methods/cursor.ts'
import { askedPrompt, listPrompts } from '../../methods/prompts.ts'
import { listResources, listTemplates, readResource } from '../../methods/resources.ts'
import { timedMethods } from '../../methods/timed.ts'
import { callTool } from '../../methods/tools.ts'
import { legacyAsker } from './asker.ts'

/**
 * A method of the initialize era. It returns its result as JSON.
 * @throws ProtocolError
 */
type Method = (request: JsonRpcRequest, exchange: Exchange, service: Service) => string | Promise<string>

const read = readResource(code.noResource)

/** The methods of revisions 2024-10-07 to 2025-11-25. Methods of features that are not offered are not served. */
export const legacyMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ...timedMethods({
    initialize,
    ping: () => '{}',
    'logging/setLevel': setLevel,
    'tools/list': ({ params }, exchange, { catalog }) => {
      checkCursor(params)
      return `{"tools":${catalog.list(viewOf(exchange))}}`
    },
    'prompts/list': (...asked) => `{${listPrompts(...asked)}}`,
    'resources/list': (...asked) => `{${listResources(...asked)}}`,
    'resources/templates/list': (...asked) => `{${listTemplates(...asked)}}`
  }),
  [
    'prompts/get',
    cancellable(
      async (request, exchange, service) =>
        `{${await askedPrompt(request, exchange, service, legacyAsker(exchange, service))}}`
    )
  ],
  [
    'tools/call',
    cancellable((request, exchange, service) =>
      callTool(request, exchange, service, legacyAsker(exchange, service))
    )
  ],
  ['resources/read', cancellable(async (...asked) => `{${await read(...asked)}}`)],
  ['completion/complete', cancellable(async (...asked) => `{${await complete(...asked)}}`)]
])

/** Sets the log level. It belongs to the session, because these revisions have no other place for it. */
function setLevel({ params }: JsonRpcRequest, exchange: Exchange): string {
  const { level } = params
  if (!isLogLevel(level))
    throw plainError(code.invalidParams, `level must be one of ${logLevels.join(', ')}.`)
  exchange.session = { ...exchange.session, logLevel: level }
  return '{}'
}

/** The reason, as a sentence, why an initialize is refused; undefined if it is not. */
export function initializeFault({
  protocolVersion,
  capabilities
}: JsonRpcRequest['params']): string | undefined {
  if (typeof protocolVersion !== 'string')
    return `initialize needs protocolVersion, a string such as "${latestLegacy}".`
  if (capabilities !== undefined && !isRecord(capabilities)) return 'capabilities must be an object.'
  return undefined
}

const begunAlready = 'This session has begun already: leave Mcp-Session-Id out to initialize another.'

/**
 * Answers initialize with the requested revision if it is served, otherwise with the newest of this era, never with a
 * modern one.
 */
function initialize({ params }: JsonRpcRequest, exchange: Exchange, service: Service): string {
  if (exchange.resumed) throw plainError(code.invalidRequest, begunAlready)
  const fault = initializeFault(params)
  if (fault !== undefined) throw plainError(code.invalidParams, fault)
  const asked = String(params.protocolVersion)
  const version = isLegacyVersion(asked) ? asked : latestLegacy
  exchange.session = {
    ...exchange.session,
    version,
    ...(isRecord(params.capabilities) && { capabilities: readCapabilities(params.capabilities) })
  }
  return `{"protocolVersion":"${version}",${service.offer},"serverInfo":${JSON.stringify(service.info)}}`
}
